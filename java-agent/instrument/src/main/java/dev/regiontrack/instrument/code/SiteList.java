package dev.regiontrack.instrument.code;

import dev.regiontrack.instrument.selection.ReferenceBody;
import dev.regiontrack.instrument.flow.Passing;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.sites.SiteNumbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The sites of a class that is being instrumented. They get their numbers when all are known. */
public final class SiteList {
    /** The kind of a site where a monitor is entered or left; and of one where it is entered for a critical section that may write nothing. */
    public static final String MONITOR = "monitor";
    public static final String SECTION = "section";

    private final ClassNode type;
    private final InlinedLines lines;
    private final Indices indices;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Push> pushes = new ArrayList<>();
    /** Calls that are linked at run time, and their sites. */
    private final Map<InvokeDynamicInsnNode, Integer> links = new HashMap<>();
    /** The sites of the methods that are blocks. */
    private final List<Integer> blocks = new ArrayList<>();
    private final Map<String, Integer> blockOf = new HashMap<>();
    private int arrays;
    private int calls;
    private int monitors;
    private int left;
    private int steered;
    private final Map<Temporaries.Maker, Integer> makers = new HashMap<>();

    /** {@code indices} are those of the class. */
    public SiteList(ClassNode type, Indices indices) {
        this.type = type;
        this.indices = indices;
        lines = new InlinedLines(type.sourceDebug);
    }

    private static final class Entry {
        /** Null if no record will name it. */
        final String text;
        /** The class that the instruction names, in internal form; null if it names none. */
        final String owner;
        final String member;
        final boolean isStatic;
        /** For an access to an object that the method made: the site of the constructor; otherwise -1. */
        int maker = -1;
        /** For the site of such a constructor: how many fields its objects may have. */
        int mostFields;

        Entry(String text, String owner, String member, boolean isStatic) {
            this.text = text;
            this.owner = owner;
            this.member = member;
            this.isStatic = isStatic;
        }
    }

    /** A place in the code where a site's number will be pushed. */
    private static final class Push {
        final InsnList code;
        final AbstractInsnNode place;
        final int site;
        final boolean isBlock;

        Push(InsnList code, AbstractInsnNode place, int site, boolean isBlock) {
            this.code = code;
            this.place = place;
            this.site = site;
            this.isBlock = isBlock;
        }
    }

    public int size() {
        return entries.size();
    }

    /** Returns the number of places that access elements of arrays. */
    public int arrays() {
        return arrays;
    }

    /** Returns the number of calls of the library that can have a model. */
    public int calls() {
        return calls;
    }

    /** Returns the number of places at monitors. */
    public int monitors() {
        return monitors;
    }

    /** Counts a call of the library that can have a model, but gets no hooks because its method has no room for them. */
    public void leave() {
        left++;
    }

    /** Returns the number of such calls. */
    public int left() {
        return left;
    }

    /** Counts a call at which threads are steered. */
    void steer() {
        steered++;
    }

    /** Returns the number of such calls, and of methods for which it matters that they are synchronized. */
    public int steered() {
        return steered;
    }

    /** Returns the indices of instructions of methods without lines. */
    public Indices indices() {
        return indices;
    }

    /** Returns the line by which sites name a line of the class file, or an index. */
    int lineOf(int line) {
        return lines.call(line);
    }

    /** Returns the name by which sites call a method. */
    static String nameOf(MethodNode method) {
        return method instanceof ReferenceBody ? ((ReferenceBody) method).within : method.name;
    }

    /** Returns the descriptor by which sites call a method. */
    static String descOf(MethodNode method) {
        return method instanceof ReferenceBody ? ((ReferenceBody) method).withinDesc : method.desc;
    }

    /** Returns how many of them are blocks. */
    public int blocks() {
        return blocks.size();
    }

    /** Adds a site for a method that is a block; its copy ({@link dev.regiontrack.instrument.flow.Borrowers}) has the same. */
    public int block(MethodNode method, int line) {
        String name = method.name + method.desc;
        if (!blockOf.containsKey(name)) {
            blockOf.put(name, plain("method", method, line, null));
            blocks.add(blockOf.get(name));
        }
        return blockOf.get(name);
    }

    /**
     * Adds a site for an access to a field; {@code key} is what a profile calls the variable, or null; {@code maker} belongs to an object that the
     * method made, otherwise null.
     */
    public int field(MethodNode method, int line, FieldInsnNode insn, String key, Temporaries.Maker maker) {
        boolean isRead = insn.getOpcode() == Opcodes.GETFIELD || insn.getOpcode() == Opcodes.GETSTATIC;
        boolean isStatic = insn.getOpcode() == Opcodes.GETSTATIC || insn.getOpcode() == Opcodes.PUTSTATIC;
        String text = text(isRead ? "read" : "write", method, line, insn.owner.replace('/', '.') + '.' + insn.name);
        return add(new Entry(SiteText.withKey(text, key), insn.owner, insn.name + ':' + insn.desc, isStatic), maker);
    }

    /** Adds a site at which every field of an object that the method made counts as written. */
    public int object(MethodNode method, int line, Temporaries.Maker maker) {
        return add(new Entry(text("write", method, line, maker.owner.replace('/', '.') + ".*"), maker.owner, "", false), maker);
    }

    private int add(Entry entry, Temporaries.Maker maker) {
        if (maker != null) {
            if (!makers.containsKey(maker)) {
                makers.put(maker, constructor(maker));
            }
            entry.maker = makers.get(maker);
        }
        return add(entry);
    }

    /** Adds a site that no record names. */
    private int constructor(Temporaries.Maker maker) {
        Entry entry = new Entry(null, maker.owner, maker.desc, false);
        entry.mostFields = maker.mostFields;
        return add(entry);
    }

    /**
     * Adds sites for a call that may be an operation of the library: for a read, for a write, and if {@code kind} is neither, for {@code kind}. A
     * wait can be a read or a write, too. {@code field} is that of the receiver ({@link dev.regiontrack.instrument.profile.Origins}), or null, and
     * {@code key} what a profile calls the receiver's variables, or null.
     */
    public int operation(MethodNode method, int line, MethodInsnNode call, String kind, String field, String key) {
        String what = called(call);
        int site = call("read", method, line, what, field, key);
        call("write", method, line, what, field, key);
        if (kind.equals("wait")) {
            call(kind, method, line, what, field, key);
        } else if (!kind.equals("read")) {
            plain(kind, method, line, key);
        }
        calls++;
        return site;
    }

    /** Adds the site of what a call also does with an argument; must be made after those of {@link #operation}. */
    public void argument(MethodNode method, int line, MethodInsnNode call, String field, String key) {
        call("read", method, line, called(call), field, key);
        call("write", method, line, called(call), field, key);
    }

    private static String called(MethodInsnNode call) {
        return call.owner.replace('/', '.') + '.' + (call.name.equals("<init>") ? "new" : call.name) + "()";
    }

    private int call(String kind, MethodNode method, int line, String what, String field, String key) {
        return add(new Entry(SiteText.withKey(SiteText.withField(text(kind, method, line, what), field), key), null, "", false));
    }

    /**
     * Adds sites for a call by which something can be handed over, one for each bit of {@code what}, from the lowest on: the JDK's sites, as they are
     * in the program. {@code field} is that of the receiver, or null.
     */
    public int handover(MethodNode method, int line, MethodInsnNode call, int what, String field) {
        String name = called(call);
        int first = entries.size();
        for (int site = 1; site < JdkSites.calls(); site++) {
            if ((what >> site & 1) != 0) {
                add(new Entry(SiteText.withField(text(JdkSites.kind(site), method, line, JdkSites.text(site, name)), field), null, "", false));
            }
        }
        return first;
    }

    /** Adds a site for a wait for a monitor. */
    public int waiting(MethodNode method, int line) {
        return call("wait", method, line, "java.lang.Object.wait()", null, null);
    }

    /** Adds a site of another kind; {@code key} is what a profile calls its array or monitor, or null. */
    public int plain(String kind, MethodNode method, int line, String key) {
        arrays += kind.startsWith("array") ? 1 : 0;
        monitors += isOfMonitor(kind) ? 1 : 0;
        return add(new Entry(SiteText.withKey(text(kind, method, line, ""), key), null, "", false));
    }

    static boolean isOfMonitor(String kind) {
        return kind.equals(MONITOR) || kind.equals(SECTION);
    }

    /** Adds a site that can name the class itself. */
    public int owner(String kind, MethodNode method, int line, String key) {
        monitors += isOfMonitor(kind) ? 1 : 0;
        return add(new Entry(SiteText.withKey(text(kind, method, line, ""), key), type.name, "", true));
    }

    /** Adds a site at which an array is written, and then passed to a method as this parameter. */
    public int call(MethodNode method, int line, MethodInsnNode call, int parameter) {
        String callee = ClassInfo.parameter(Passing.isFixed(call), call.name, call.desc, parameter);
        return add(new Entry(text("array-write", method, line, ""), call.owner, callee, true));
    }

    /** Adds a site of a call that is asked whether it has an effect. */
    public int asking(MethodInsnNode call) {
        return add(new Entry(null, call.owner, ClassInfo.parameter(Passing.isFixed(call), call.name, call.desc, ClassInfo.NO_PARAMETER), true));
    }

    /** Adds a site at which a static field of a class, or of one above it, is read. */
    public int needing(String owner) {
        return add(new Entry(null, owner, ClassInfo.parameter(true, "<clinit>", "()V", ClassInfo.NO_PARAMETER), true));
    }

    private int add(Entry entry) {
        entries.add(entry);
        return entries.size() - 1;
    }

    private String text(String kind, MethodNode method, int line, String what) {
        return SiteText.of(kind, type.name.replace('/', '.'), nameOf(method), descOf(method), type.sourceFile, lines.call(line), what);
    }

    /** Returns a placeholder for the instruction that pushes the site's number; {@code into} is the code that it will be in. */
    public AbstractInsnNode push(InsnList into, int site) {
        return push(into, site, false);
    }

    /** The same for the number by which hooks name a block, whose method has this site. */
    public AbstractInsnNode pushBlock(InsnList into, int site) {
        return push(into, site, true);
    }

    private AbstractInsnNode push(InsnList into, int site, boolean isBlock) {
        AbstractInsnNode place = new InsnNode(Opcodes.NOP);
        pushes.add(new Push(into, place, site, isBlock));
        return place;
    }

    /** The call gets the site's number as an argument of its bootstrap method. */
    public void link(InvokeDynamicInsnNode call, int site) {
        links.put(call, site);
    }

    /** Replaces the placeholders by the numbers. */
    public void number(SiteNumbers numbers) {
        for (Map.Entry<InvokeDynamicInsnNode, Integer> link : links.entrySet()) {
            link.getKey().bsmArgs = new Object[] {numbers.first() + link.getValue()};
        }
        for (Push push : pushes) {
            int number = push.isBlock ? numbers.block(blocks.indexOf(push.site), push.site) : numbers.first() + push.site;
            push.code.set(push.place, number <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, number) : new LdcInsnNode(number));
        }
    }

    /** Describes the sites to the runtime and to the reader of the records. */
    public void register(SiteNumbers numbers) {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (entry.owner != null) {
                numbers.member(i, entry.isStatic, entry.owner.replace('/', '.'), entry.member);
            }
            if (entry.maker >= 0) {
                numbers.made(i, entry.maker, entries.get(entry.maker).mostFields);
            }
            if (entry.text != null) {
                numbers.describe(i, entry.text);
            }
        }
        for (int i = 0; i < blocks.size(); i++) {
            numbers.describeBlock(i, blocks.get(i));
        }
    }
}
