package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Locals;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.Sections;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks at the entry and at the exits of an atomic or synchronized method, including exits by exception. In a
 * constructor, the hooks begin after its call of another constructor, because no handler may cover that call.
 */
final class Brackets {
    /** The uses of locals whose operations the handler for exceptions ends. */
    private static final List<Locals.Use> FAILING = List.of(Locals.Use.STEP, Locals.Use.LOOK);
    private static final String THROWABLE = "Ljava/lang/Throwable;";

    private final MethodCode code;
    private final MethodShape shape;
    private final Sections sections;
    private final boolean isBlock;
    private final int parameter;
    private final int site;
    private final int lockSite;

    /** {@code parameter} is the only array whose elements the method accesses, or -1. */
    Brackets(MethodCode code, MethodShape shape, Sections sections, boolean isBlock, int parameter) {
        this.sections = sections;
        this.code = code;
        this.shape = shape;
        this.isBlock = isBlock;
        this.parameter = parameter;
        site = isBlock ? code.sites.block(code.method, code.firstLine()) : -1;
        String key = code.watching.ofLock(code.isStatic());
        String kind = sections.isReader() ? SiteList.SECTION : SiteList.MONITOR;
        lockSite = !code.isSynchronized() ? -1 : cannotNameLock() ? code.sites.owner(kind, code.method, code.firstLine(), key)
            : code.sites.plain(kind, code.method, code.firstLine(), key);
    }

    /** Whether the lock is a class and the class file is too old to have class constants. */
    private boolean cannotNameLock() {
        return code.isSynchronized() && code.isStatic() && !code.isSince(V1_5);
    }

    /** Returns the site of the block; -1 if the method is none. */
    int site() {
        return site;
    }

    void put() {
        InsnList entry = new InsnList();
        for (Locals.Use use : FAILING) {
            if (code.hasLocal(use)) {
                code.prologue.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, code.local(use))));   // -
            }
        }
        if (isBlock) {
            code.prologue.add(list(new InsnNode(ICONST_0), new VarInsnNode(ISTORE, code.local(Locals.Use.OUTER))));   // -
            entry.add(begin());                                                              // n
            entry.add(new VarInsnNode(ISTORE, code.local(Locals.Use.OUTER)));                // -
        }
        LabelNode start = new LabelNode();
        entry.add(start);
        if (code.isSynchronized()) {
            code.prologue.add(lock());                                                       // l
            code.prologue.add(new VarInsnNode(ASTORE, code.local(Locals.Use.LOCK)));         // -
            entry.add(new VarInsnNode(ALOAD, code.local(Locals.Use.LOCK)));                  // l
            entry.add(code.hook(sections.isReader() ? "enterToRead" : "enter", "(" + OBJECT + T + "I)V", lockSite));               // -
        }
        AbstractInsnNode[] body = code.instructions.toArray();
        if (shape.superCall() != null) {
            code.instructions.insert(shape.superCall(), entry);
        } else {
            code.instructions.insert(entry);
        }
        cover(start, body);
    }

    private InsnList begin() {
        if (parameter < 0) {
            return begin("(" + T + "I)I");
        }
        Type[] types = Type.getArgumentTypes(code.method.desc);
        int local = code.isStatic() ? 0 : 1;
        for (int i = 0; i < parameter; i++) {
            local += types[i].getSize();
        }
        InsnList list = list(new VarInsnNode(ALOAD, local));                                 // a
        list.add(begin("(" + OBJECT + T + "I)I"));                                           // n
        return list;
    }

    private InsnList begin(String desc) {
        return list(code.loadState(), code.sites.pushBlock(code.instructions, site), MethodCode.invoke("begin", desc));
    }

    private InsnList lock() {
        if (!code.isStatic()) {
            return list(new VarInsnNode(ALOAD, 0));
        }
        if (!cannotNameLock()) {
            return list(new LdcInsnNode(Type.getObjectType(code.type.name)));
        }
        return list(code.sites.push(code.instructions, lockSite), MethodCode.invoke("classOf", "(I)Ljava/lang/Class;"));
    }

    /** Puts the exit hooks before the returns and into a handler for exceptions. The handler uses none of the program's locals, so any frame fits. */
    private void cover(LabelNode start, AbstractInsnNode[] body) {
        LabelNode handler = new LabelNode();
        List<TryCatchBlockNode> ranges = new ArrayList<>();
        boolean isInside = shape.superCall() == null;
        for (AbstractInsnNode insn : body) {
            int op = insn.getOpcode();
            if (isInside && op >= IRETURN && op <= RETURN) {
                LabelNode end = new LabelNode();
                LabelNode next = new LabelNode();
                code.before(insn, list(end));
                code.before(insn, exit(false));
                code.after(insn, list(next));
                cover(ranges, start, end, handler);
                start = next;
            }
            isInside |= insn == shape.superCall();
        }
        LabelNode last = new LabelNode();
        code.instructions.add(last);
        cover(ranges, start, last, handler);
        code.instructions.add(handler);
        if (code.isSince(V1_6)) {
            code.instructions.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        }
        code.instructions.add(exit(true));                                               // e
        code.instructions.add(new InsnNode(ATHROW));                                         // -
        code.method.tryCatchBlocks.addAll(ranges);
    }

    /** Adds a range unless it is empty, which the format forbids. */
    private static void cover(List<TryCatchBlockNode> ranges, LabelNode start, LabelNode end, LabelNode handler) {
        for (AbstractInsnNode insn = start; insn != end; insn = insn.getNext()) {
            if (insn.getOpcode() >= 0) {
                ranges.add(new TryCatchBlockNode(start, end, handler, null));
                return;
            }
        }
    }

    /** Returns the exit hooks. Those of an exit by exception pass the exception through and leave it on the stack. */
    private InsnList exit(boolean byException) {
        InsnList list = new InsnList();
        for (Locals.Use use : FAILING) {
            if (byException && code.hasLocal(use)) {
                list.add(list(new InsnNode(DUP), new VarInsnNode(ALOAD, code.local(use)), code.loadState()));   // e e o t
                list.add(MethodCode.call(RuntimeNames.OPERATION_HOOKS, use == Locals.Use.STEP ? "failed" : "foundNothing", "(" + THROWABLE + OBJECT + T + ")V"));   // e
            }
        }
        if (code.isSynchronized()) {
            list.add(new VarInsnNode(ALOAD, code.local(Locals.Use.LOCK)));                   // l
            list.add(byException ? code.hook("exitByException", "(" + THROWABLE + OBJECT + T + "I)" + THROWABLE, lockSite)   // e
                : code.hook("exit", "(" + OBJECT + T + "I)V", lockSite));                    // -
        }
        if (isBlock) {
            list.add(list(code.loadState(), code.sites.pushBlock(code.instructions, site)));   // t block
            list.add(new VarInsnNode(ILOAD, code.local(Locals.Use.OUTER)));                  // t block n
            list.add(byException ? MethodCode.invoke("endByException", "(" + THROWABLE + T + "II)" + THROWABLE)   // e
                : MethodCode.invoke("end", "(" + T + "II)V"));                               // -
        }
        return list;
    }

    /**
     * A call that throws can leave a variable locked for the thread's next hook to release, which may never come. So a method with such calls gets a
     * handler, if it has none for its end. Called before the detours are added, some of which come before {@code superCall}.
     */
    static void guard(MethodCode code, AbstractInsnNode superCall) {
        MethodNode method = code.method;
        if (!code.callsOperations()) {
            return;
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        if (superCall == null) {
            method.instructions.insert(start);
        } else {
            method.instructions.insert(superCall, start);
        }
        method.instructions.add(end);
        if (code.isSince(V1_6)) {
            method.instructions.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        }
        method.instructions.add(list(new MethodInsnNode(INVOKESTATIC, RuntimeNames.SAMPLING, "left", "()V", false), new InsnNode(ATHROW)));   // -
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    }
}
