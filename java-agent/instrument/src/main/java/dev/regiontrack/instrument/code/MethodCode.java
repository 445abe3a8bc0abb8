package dev.regiontrack.instrument.code;

import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.flow.Borrowers;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.profile.Origins;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.instrument.selection.ReferenceBody;
import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.SiteText;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.commons.CodeSizeEvaluator;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method that is being instrumented: its code, lines and sites, the locals that hooks need, and how to call hooks.
 *
 * <p>Operands and values stay on the stack, so that the JVM's messages about null pointers do not change. The thread's state is looked up
 * once, at entry, and kept in a local.
 */
public final class MethodCode {
    /** HotSpot compiles no method with more bytes. */
    public static final int MOST_COMPILED = 8000;
    /** Bytes of the largest instruction except switches. */
    private static final int MOST_OF_ONE = 6;
    /** Bytes of the largest hook of an access. */
    private static final int MOST_BYTES = 41;
    /** Descriptors of the thread's state and of any object. */
    public static final String T = RuntimeNames.STATE_TYPE;
    public static final String OBJECT = "Ljava/lang/Object;";

    public final ClassNode type;
    public final Origin origin;
    public final MethodNode method;
    public final InsnList instructions;
    public final SiteList sites;
    /** The code at entry, after the lookup of the thread's state. */
    public final InsnList prologue = new InsnList();
    /** Code that is reached only by jumps; it is placed after the method's own. */
    public final InsnList detours = new InsnList();
    private final Locals locals;
    /** Of the instructions that {@link #isPlace}, and of all after {@link #placeAll}. */
    private final Map<AbstractInsnNode, Integer> lines = new HashMap<>();
    private int firstLine;
    /** The indices of the instructions, if the method has no lines. */
    private final int[] indices;
    /** The local that has the thread's state at entry, and can be the program's afterwards; -1 if none has. */
    private final int given;
    private boolean needsState;
    private boolean stepsAside;
    private boolean callsOperations;
    /** What is watched in the class, and the origins of the references in the method. */
    public final Watching watching;
    public final Origins origins;
    /** Whether the verifier needs frames at jump targets. */
    private final boolean needsFrames;
    /** Whether the method, with hooks of the usual size, would exceed what the JVM compiles. */
    private final boolean isTooLarge;
    /** Whether it has half as many bytes as the JVM compiles, without hooks. */
    private final boolean isHalf;
    /** Whether hooks have to be small: also if the method has two bodies. */
    private final boolean isLarge;

    /** {@code accesses} is the number of accesses with a hook; {@code isGivenState} if the thread's state is the last argument. */
    public MethodCode(ClassNode type, Origin origin, Watching watching, MethodNode method, SiteList sites, int accesses, boolean isGivenState) {
        this.type = type;
        this.origin = origin;
        this.watching = watching;
        this.method = method;
        this.sites = sites;
        instructions = method.instructions;
        given = isGivenState ? Borrowers.given(method) : -1;
        locals = new Locals(method, given);
        needsFrames = isSince(V1_7) || isSince(V1_6) && Frames.showJumps(method);
        origins = watching.origins(type, method);
        boolean hasSwitch = false;
        // Boxed, so that all instructions of a line share it.
        Integer line = method instanceof ReferenceBody ? ((ReferenceBody) method).line : 0;
        firstLine = line;
        for (AbstractInsnNode insn = instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn instanceof LineNumberNode) {
                line = ((LineNumberNode) insn).line;
                firstLine = firstLine == 0 ? line : firstLine;
            } else if (isPlace(insn)) {
                lines.put(insn, line);
            } else {
                hasSwitch |= insn.getOpcode() == TABLESWITCH || insn.getOpcode() == LOOKUPSWITCH;
            }
        }
        // Nearly all methods are so short that an exact count is unnecessary.
        int hooks = MOST_BYTES * accesses;
        boolean isShort = !hasSwitch && MOST_OF_ONE * instructions.size() + hooks < MOST_COMPILED / 2;
        int bytes = isShort ? 0 : size();
        isTooLarge = bytes + hooks > MOST_COMPILED;
        isHalf = bytes >= MOST_COMPILED / 2;
        isLarge = isTooLarge || Sampling.isEverywhere() || watching.isInBursts() || origin != Origin.PROGRAM;
        indices = firstLine == 0 ? sites.indices().of(method) : null;
        if (indices != null) {
            placeByIndex();
        }
    }

    /** For a method without lines: places instructions by their indices, and what comes before the first one by that one's. */
    private void placeByIndex() {
        firstLine = SiteText.atIndex(0);
        int at = 0;
        for (AbstractInsnNode insn : instructions) {
            if (insn.getOpcode() >= 0) {
                sites.indices().keep(insn, indices[at]);
                if (isPlace(insn)) {
                    lines.put(insn, SiteText.atIndex(indices[at]));
                }
                at++;
            }
        }
    }

    /** Places instructions of other kinds too, because they are copied; must be called before the method has hooks. */
    public void placeAll() {
        int at = 0;
        Integer line = method instanceof ReferenceBody ? ((ReferenceBody) method).line : 0;
        for (AbstractInsnNode insn : instructions) {
            if (insn instanceof LineNumberNode) {
                line = ((LineNumberNode) insn).line;
            } else if (insn.getOpcode() >= 0) {
                lines.put(insn, indices == null ? line : Integer.valueOf(SiteText.atIndex(indices[at])));
                at++;
            }
        }
    }

    /** Whether an instruction is of a kind that can have a site: accesses to fields and elements, calls, and those that enter or exit a monitor. */
    public static boolean isPlace(AbstractInsnNode insn) {
        switch (insn.getType()) {
            case AbstractInsnNode.FIELD_INSN: case AbstractInsnNode.METHOD_INSN:
                return true;
            case AbstractInsnNode.INSN:
                int op = insn.getOpcode();
                return op >= IALOAD && op <= SALOAD || op >= IASTORE && op <= SASTORE || op == MONITORENTER || op == MONITOREXIT;
            default:
                return false;
        }
    }

    // ---- properties of the method

    /** Whether the method is synchronized and its lock is watched. */
    public boolean isSynchronized() {
        return (method.access & ACC_SYNCHRONIZED) != 0 && watching.watchesLock(isStatic());
    }

    public boolean isStatic() {
        return (method.access & ACC_STATIC) != 0;
    }

    /** Whether the method is a copy of another one's code, for callers that give it the thread's state. */
    public boolean isCopy() {
        return given >= 0;
    }

    public boolean isConstructor() {
        return method.name.equals("<init>");
    }

    public boolean isInitializer() {
        return method.name.equals("<clinit>");
    }

    /** False for old class files: their methods have no frames, or the verifier does without them. */
    public boolean needsFrames() {
        return needsFrames;
    }

    /** Returns the least number of bytes of the present code. */
    public int size() {
        return size(method);
    }

    /** The same for another method. */
    public static int size(MethodNode method) {
        CodeSizeEvaluator size = new CodeSizeEvaluator(null);
        for (AbstractInsnNode insn : method.instructions) {
            insn.accept(size);
        }
        return size.getMinSize();
    }

    /** Whether there is room only for the most necessary hooks. */
    public boolean isTooLarge() {
        return isTooLarge;
    }

    /** Whether there is room for more than hooks. */
    public boolean isSmall() {
        return !isLarge && !isHalf;
    }

    /** Whether hooks have to be small, although that makes them slower. */
    public boolean isLarge() {
        return isLarge;
    }

    /** Returns a label to jump to, with the frame if the verifier needs it. */
    public InsnList target(LabelNode label, FrameNode frame) {
        return needsFrames ? list(label, frame) : list(label);
    }

    /** Whether the class file has this version of the format or a later one. */
    public boolean isSince(int version) {
        return (type.version & 0xffff) >= version;
    }

    // ---- sites

    /** Returns a site that needs only a kind and a place, at an instruction of the program. */
    public int site(String kind, AbstractInsnNode at) {
        String place = kind.startsWith("array") ? "array" : SiteList.isOfMonitor(kind) ? SiteList.MONITOR : null;
        return sites.plain(kind, method, line(at), place == null ? null : watching.place(place, origins, at));
    }

    /**
     * Returns the line of an instruction of the program that has been placed; if the method has no lines, its index in the form of
     * {@link SiteText#atIndex}; 0 if neither is known.
     */
    public int line(AbstractInsnNode insn) {
        return lines.get(insn);
    }

    /** Returns the first line; if the method has none, the first index, 0, in the form of {@link SiteText#atIndex}; 0 if neither is known. */
    public int firstLine() {
        return firstLine;
    }

    // ---- code to add

    public static InsnList list(AbstractInsnNode... insns) {
        InsnList list = new InsnList();
        for (AbstractInsnNode insn : insns) {
            list.add(insn);
        }
        return list;
    }

    /** Calls a hook with the operands on the stack, the thread's state and the site. */
    public InsnList hook(String name, String desc, int site) {
        return list(loadState(), sites.push(instructions, site), invoke(name, desc));
    }

    /** Calls a hook for a value that was read. Each type of value has a class of hooks, named by {@code value}. */
    public InsnList valueHook(char value, String name, String desc, int site) {
        return list(loadState(), sites.push(instructions, site), call(ownerOfHook(value), name, desc));
    }

    private static String ownerOfHook(char value) {
        switch (value) {
            case 'I': return RuntimeNames.INT_CHECKS;
            case 'J': return RuntimeNames.LONG_READS;
            case 'F': return RuntimeNames.FLOAT_READS;
            case 'D': return RuntimeNames.DOUBLE_READS;
            default: return RuntimeNames.REFERENCE_CHECKS;
        }
    }

    /** The method initialises or loads a class, and its actions belong to no block around it; a hook reports its end. */
    public void stepAside() {
        stepsAside = true;
    }

    /** Notes that the method has a hook around a call of the library. */
    public void addOperation() {
        callsOperations = true;
    }

    /** Whether the method has such a hook. */
    public boolean callsOperations() {
        return callsOperations;
    }

    /** Calls a hook with only the thread's state. */
    public InsnList hook(String name) {
        return list(loadState(), invoke(name, "(" + T + ")V"));
    }

    public static AbstractInsnNode invoke(String name, String desc) {
        return call(RuntimeNames.HOOKS, name, desc);
    }

    /** Calls a hook of this class. */
    public static AbstractInsnNode call(String owner, String name, String desc) {
        return new MethodInsnNode(INVOKESTATIC, Outlined.owner(owner), Outlined.name(owner, name), desc, false);
    }

    public AbstractInsnNode loadState() {
        needsState = true;
        return new VarInsnNode(ALOAD, locals.state());
    }

    /** Returns a local that hooks need, in addition to the thread's state. */
    public int local(Locals.Use use) {
        needsState = true;
        return locals.of(use);
    }

    /** Whether there is such a local. */
    public boolean hasLocal(Locals.Use use) {
        return locals.has(use);
    }

    /** Returns the first local that neither the method nor its hooks use, except hooks around a single instruction. */
    public int free() {
        return locals.free();
    }

    /** Returns the first of {@code size} locals that the hooks of one instruction need. */
    public int scratch(int size) {
        needsState = true;
        return locals.scratch(size);
    }

    public void before(AbstractInsnNode insn, InsnList list) {
        instructions.insertBefore(insn, list);
    }

    public void after(AbstractInsnNode insn, InsnList list) {
        instructions.insert(insn, list);
    }

    /** After all hooks: adds the detours, the code that sets the locals, and the locals' types to the frames. */
    public void finish() {
        instructions.add(detours);
        if (needsState) {
            String begin = isInitializer() ? "begin" : "beginLoading";
            AbstractInsnNode current = stepsAside ? new MethodInsnNode(INVOKESTATIC, RuntimeNames.INITIALIZERS, begin, "()" + T, false)
                : new MethodInsnNode(INVOKESTATIC, RuntimeNames.THREADS, "current", "()" + T, false);
            InsnList find = list(given < 0 ? current : new VarInsnNode(ALOAD, given));                     // t
            find.add(new VarInsnNode(ASTORE, locals.state()));                                             // -
            find.add(prologue);
            instructions.insert(find);
            locals.addToFrames();
        }
    }
}
