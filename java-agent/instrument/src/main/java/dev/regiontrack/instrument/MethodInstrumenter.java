package dev.regiontrack.instrument;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts the hooks into one method: calls around what is there. Operands and values stay on the stack, so that the JVM's messages about
 * null pointers do not change; the thread's state is found at entry and kept in a local behind the method's own; the frames that
 * stand in the class file get that local and are otherwise left as they are.
 */
final class MethodInstrumenter {
    private static final String HOOKS = "dev/regiontrack/runtime/Hooks";
    private static final String THREADS = "dev/regiontrack/runtime/Threads";
    private static final String STATE = "dev/regiontrack/runtime/ThreadState";
    private static final String T = "L" + STATE + ";";
    private static final String OBJECT = "Ljava/lang/Object;";

    private final ClassNode type;
    private final MethodNode method;
    private final InsnList code;
    private final ArrayMode arrays;
    private final SiteList sites;
    private final boolean isSynchronized;
    private final boolean isStatic;
    private boolean isAtomic;
    /** Locals: the thread's state, the lock of a synchronized method, how many blocks an atomic one is in, a value on its way. */
    private final int state;
    private final int lock;
    private final int outer;
    private final int value;
    private AbstractInsnNode superCall;
    private final Map<AbstractInsnNode, Integer> lines = new HashMap<>();
    private int firstLine;
    private boolean needsState;
    /** Detours of reads whose value was not good. */
    private final InsnList again = new InsnList();

    MethodInstrumenter(ClassNode type, MethodNode method, boolean isAtomic, ArrayMode arrays, SiteList sites) {
        this.type = type;
        this.method = method;
        this.isAtomic = isAtomic;
        this.arrays = arrays;
        this.sites = sites;
        code = method.instructions;
        isSynchronized = (method.access & ACC_SYNCHRONIZED) != 0;
        isStatic = (method.access & ACC_STATIC) != 0;
        state = method.maxLocals;
        lock = state + 1;
        outer = state + 2;
        value = state + 3;
    }

    void instrument() {
        if (method.name.equals("<init>")) {
            superCall = Blocks.superCall(method);
            isAtomic &= superCall != null && !Blocks.goesBack(superCall);
        }
        findLines();
        Set<AbstractInsnNode> accesses = accesses();
        Frames frames = new Frames(type.name, method, framed(accesses));
        accesses.removeAll(hidden(accesses, frames));
        isAtomic &= Blocks.canMakeTwoEvents(type.name, method, superCall, accesses);
        Set<LabelNode> targets = Blocks.targets(method);
        for (AbstractInsnNode insn : code.toArray()) {
            if (accesses.contains(insn)) {
                access(insn, frames);
            } else {
                other(insn, targets, frames);
            }
        }
        if (isAtomic || isSynchronized) {
            bracket();
        }
        code.add(again);
        if (needsState) {
            prologue();
            frames();
        }
    }

    private void findLines() {
        int line = 0;
        for (AbstractInsnNode insn : code) {
            if (insn instanceof LineNumberNode) {
                line = ((LineNumberNode) insn).line;
                firstLine = firstLine == 0 ? line : firstLine;
            }
            lines.put(insn, line);
        }
    }

    // ---- which instructions are accesses

    /** The accesses to be hooked, but for the hidden ones. */
    private Set<AbstractInsnNode> accesses() {
        Set<AbstractInsnNode> result = new LinkedHashSet<>();
        for (AbstractInsnNode insn : code) {
            int op = insn.getOpcode();
            if (insn instanceof FieldInsnNode) {
                if (!isOwnFinal((FieldInsnNode) insn)) {
                    result.add(insn);
                }
            } else if (arrays != ArrayMode.NONE && (op == AALOAD || op == AASTORE) || arrays == ArrayMode.ALL && isPrimitiveElement(op)) {
                result.add(insn);
            }
        }
        return result;
    }

    /** Writes to an object whose constructor has not called the one above: nobody else can see it, and no hook may have it. */
    private Set<AbstractInsnNode> hidden(Set<AbstractInsnNode> accesses, Frames frames) {
        Set<AbstractInsnNode> result = new HashSet<>();
        boolean isConstructed = superCall == null;
        for (AbstractInsnNode insn : code) {
            isConstructed |= insn == superCall;
            if (insn.getOpcode() == PUTFIELD && method.name.equals("<init>") && accesses.contains(insn)) {
                FrameNode frame = frames.before(insn);
                // An old class file may not tell.
                boolean isHidden = frame == null ? !isConstructed : frame.stack.get(frame.stack.size() - 2) == Opcodes.UNINITIALIZED_THIS;
                if (isHidden) {
                    result.add(insn);
                }
            }
        }
        return result;
    }

    /**
     * What needs a frame: reads that go on with the value on the stack, and read again if it was not good; writes in constructors; exits from
     * monitors.
     */
    private Set<AbstractInsnNode> framed(Set<AbstractInsnNode> accesses) {
        Set<AbstractInsnNode> result = new HashSet<>();
        for (AbstractInsnNode insn : code) {
            int op = insn.getOpcode();
            if (op == MONITOREXIT && (type.version & 0xffff) > V1_6 || op == PUTFIELD && method.name.equals("<init>")) {
                result.add(insn);
            }
        }
        for (AbstractInsnNode insn : accesses) {
            boolean isRead = insn.getOpcode() == GETFIELD || insn.getOpcode() == GETSTATIC;
            if (isRead && (type.version & 0xffff) > V1_6 && !isReturned(((FieldInsnNode) insn).desc)) {
                result.add(insn);
            }
        }
        return result;
    }

    /** True for types whose values are not spoken of in the JVM's messages: the hook can return another. */
    private static boolean isReturned(String desc) {
        return desc.equals("J") || desc.equals("F") || desc.equals("D");
    }

    private static boolean isPrimitiveElement(int op) {
        return op >= IALOAD && op <= SALOAD && op != AALOAD || op >= IASTORE && op <= SASTORE && op != AASTORE;
    }

    private boolean isOwnFinal(FieldInsnNode insn) {
        if (insn.owner.equals(type.name)) {
            for (FieldNode field : type.fields) {
                if (field.name.equals(insn.name) && field.desc.equals(insn.desc)) {
                    return (field.access & ACC_FINAL) != 0;
                }
            }
        }
        return false;
    }

    // ---- accesses

    private void access(AbstractInsnNode insn, Frames frames) {
        switch (insn.getOpcode()) {
            case GETFIELD:
                getField((FieldInsnNode) insn, frames.before(insn));
                break;
            case GETSTATIC:
                getStatic((FieldInsnNode) insn, frames.before(insn));
                break;
            case PUTFIELD:
                putField((FieldInsnNode) insn);
                break;
            case PUTSTATIC: {
                int site = sites.field(method, lines.get(insn), (FieldInsnNode) insn);
                before(insn, hook("lockWriteStatic", "(" + T + "I)V", site));
                after(insn, unlock("unlock"));
                break;
            }
            default:
                element(insn);
        }
    }

    private void getField(FieldInsnNode insn, FrameNode frame) {
        int site = sites.field(method, lines.get(insn), insn);
        if (isReturned(insn.desc)) {
            before(insn, list(new InsnNode(DUP)));                                           // o o
            after(insn, answered("read", OBJECT, insn.desc, site));                          // o v -> v
        } else if (frame != null) {
            InsnList list = list(new InsnNode(DUP2));                                        // o v o v
            list.add(checked("check", OBJECT, insn, site, frame));                           // o v
            list.add(list(new InsnNode(SWAP), new InsnNode(POP)));                           // v
            before(insn, list(new InsnNode(DUP)));                                           // o o
            after(insn, list);
        } else {
            before(insn, list(new InsnNode(DUP)));                                           // o o
            before(insn, hook("lockRead", "(" + OBJECT + T + "I)V", site));                  // o
            after(insn, unlock("unlockRead"));                                               // v
        }
    }

    private void getStatic(FieldInsnNode insn, FrameNode frame) {
        int site = sites.field(method, lines.get(insn), insn);
        if (isReturned(insn.desc)) {
            after(insn, answered("readStatic", "", insn.desc, site));                        // v -> v
        } else if (frame != null) {
            InsnList list = list(new InsnNode(DUP));                                         // v v
            list.add(checked("checkStatic", "", insn, site, frame));                         // v
            after(insn, list);
        } else {
            before(insn, hook("lockReadStatic", "(" + T + "I)V", site));
            after(insn, unlock("unlockRead"));
        }
    }

    /**
     * Calls a check and goes back if it says no: by a detour at the end of the method, where only the value is dropped. So the value
     * in use comes from one instruction, the program's own.
     */
    private InsnList checked(String name, String operands, FieldInsnNode insn, int site, FrameNode frame) {
        LabelNode reading = new LabelNode();
        LabelNode detour = new LabelNode();
        boolean hasFrame = isAfterFrame(insn);
        code.insertBefore(insn, reading);
        if (!hasFrame) {
            code.insertBefore(insn, frame);
        }
        String of = erased(insn.desc);
        Object value = of.equals("I") ? Opcodes.INTEGER : Type.getType(insn.desc).getInternalName();
        InsnList list = hook(name, "(" + operands + of + T + "I)Z", site);
        list.add(new JumpInsnNode(IFEQ, detour));
        again.add(detour);
        again.add(Frames.plus(frame, value));
        again.add(list(new InsnNode(POP), new JumpInsnNode(GOTO, reading)));
        return list;
    }

    /** True if the class file has a frame right there; a second one would be an error. */
    private static boolean isAfterFrame(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before instanceof LabelNode || before instanceof LineNumberNode) {
            before = before.getPrevious();
        }
        return before instanceof FrameNode;
    }

    private static boolean isBeforeFrame(AbstractInsnNode insn) {
        AbstractInsnNode next = insn.getNext();
        while (next instanceof LabelNode || next instanceof LineNumberNode) {
            next = next.getNext();
        }
        return next instanceof FrameNode;
    }

    private void putField(FieldInsnNode insn) {
        int site = sites.field(method, lines.get(insn), insn);
        before(insn, under(Type.getType(insn.desc).getSize()));                              // o v o
        before(insn, hook("lockWrite", "(" + OBJECT + T + "I)V", site));                     // o v
        after(insn, unlock("unlock"));
    }

    /** A hook that takes the value and answers with the one to use. */
    private InsnList answered(String name, String operands, String desc, int site) {
        return hook(name, "(" + operands + desc + T + "I)" + desc, site);
    }

    /** Type of the hook for values of a type. */
    private static String erased(String desc) {
        switch (desc.charAt(0)) {
            case 'L': case '[': return OBJECT;
            case 'J': case 'F': case 'D': return desc;
            default: return "I";
        }
    }

    /** Copies the reference below a value of the given size: [o v] to [o v o]. */
    private static InsnList under(int size) {
        return size == 1 ? list(new InsnNode(DUP2), new InsnNode(POP))
            : list(new InsnNode(DUP2_X1), new InsnNode(POP2), new InsnNode(DUP_X2));
    }

    private void element(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        int line = lines.get(insn);
        if (op >= IASTORE && op <= SASTORE) {
            storeElement(insn, sites.plain("array-write", method, line, ""));
            return;
        }
        int site = sites.plain("array-read", method, line, "");
        before(insn, list(new InsnNode(DUP2)));                                              // a i a i
        if (op == LALOAD || op == FALOAD || op == DALOAD) {
            String desc = op == LALOAD ? "J" : op == FALOAD ? "F" : "D";
            after(insn, answered("arrayRead", OBJECT + "I", desc, site));                    // a i v -> v
        } else {
            before(insn, hook("lockArrayRead", "(" + OBJECT + "I" + T + "I)V", site));       // a i
            after(insn, unlock("unlockRead"));
        }
    }

    private void storeElement(AbstractInsnNode insn, int site) {
        int op = insn.getOpcode();
        if (op == AASTORE) {
            before(insn, list(new VarInsnNode(ASTORE, value), new InsnNode(DUP2), new VarInsnNode(ALOAD, value)));   // a i a i v
            before(insn, hook("lockArrayWrite", "(" + OBJECT + "I" + OBJECT + T + "I)V", site));                     // a i
            // The local must not keep the value from being collected.
            before(insn, list(new VarInsnNode(ALOAD, value), new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, value)));   // a i v
        } else {
            boolean isWide = op == LASTORE || op == DASTORE;
            before(insn, isWide ? list(new InsnNode(DUP2_X2), new InsnNode(POP2), new InsnNode(DUP2_X2))             // a i v a i
                : list(new InsnNode(DUP_X2), new InsnNode(POP), new InsnNode(DUP2_X1)));
            before(insn, hook("lockArrayWrite", "(" + OBJECT + "I" + T + "I)V", site));                              // a i v
        }
        after(insn, unlock("unlock"));
    }

    // ---- monitors, waits, copies

    private void other(AbstractInsnNode insn, Set<LabelNode> targets, Frames frames) {
        if (insn.getOpcode() == MONITORENTER) {
            int site = sites.plain("monitor", method, lines.get(insn), "");
            before(insn, list(new InsnNode(DUP)));                                           // l l
            // Inside the handler that will leave the monitor, so that it is left whatever the hook does.
            AbstractInsnNode last = insn;
            for (AbstractInsnNode next = insn.getNext(); next instanceof LabelNode && !targets.contains(next) || next instanceof LineNumberNode; next = next.getNext()) {
                last = next;
            }
            after(last, hook("enter", "(" + OBJECT + T + "I)V", site));                      // -
        } else if (insn.getOpcode() == MONITOREXIT) {
            leave(insn, frames.before(insn));
        } else if (insn instanceof MethodInsnNode) {
            call((MethodInsnNode) insn);
        }
    }

    /**
     * The exit from a monitor. A handler of javac's covers the exit in itself: if the stack has no room for the call, that would go on for ever.
     * So the call has a handler of its own, which leaves the monitor first of all.
     */
    private void leave(AbstractInsnNode insn, FrameNode frame) {
        AbstractInsnNode load = insn.getPrevious();
        InsnList list = list(new InsnNode(DUP));                                             // l l
        list.add(hook("exit", "(" + OBJECT + T + "I)V", sites.plain("monitor", method, lines.get(insn), "")));   // l
        if (frame == null || frame.stack.size() != 1 || load == null || load.getOpcode() != ALOAD) {
            before(insn, list);
            return;
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        LabelNode left = new LabelNode();
        list.insert(start);
        list.add(end);
        before(insn, list);
        if (!isBeforeFrame(insn)) {
            after(insn, list(Frames.empty(frame)));
        }
        after(insn, list(left));
        String overflow = "java/lang/StackOverflowError";
        method.tryCatchBlocks.add(0, new TryCatchBlockNode(start, end, handler, overflow));
        again.add(handler);
        again.add(Frames.alone(frame, overflow));                                            // e
        again.add(list(new InsnNode(POP), new VarInsnNode(ALOAD, ((VarInsnNode) load).var), new InsnNode(MONITOREXIT)));   // -
        again.add(list(new VarInsnNode(ALOAD, state), new InsnNode(ICONST_1), new FieldInsnNode(PUTFIELD, STATE, "lostEvents", "I")));   // -
        again.add(new JumpInsnNode(GOTO, left));
    }

    private void call(MethodInsnNode insn) {
        if (insn.name.equals("clone") && insn.desc.startsWith("()L") && insn.getOpcode() != INVOKESTATIC && !insn.owner.startsWith("[")) {
            after(insn, list(new InsnNode(DUP), new MethodInsnNode(INVOKESTATIC, HOOKS, "cloned", "(" + OBJECT + ")V", false)));   // c
            return;
        }
        boolean isTimed = insn.desc.equals("(J)V");
        boolean isFine = insn.desc.equals("(JI)V");
        if (insn.name.equals("wait") && insn.getOpcode() != INVOKESTATIC && (insn.desc.equals("()V") || isTimed || isFine)) {
            int site = sites.plain("wait", method, lines.get(insn), "");
            if (isFine) {
                before(insn, list(new VarInsnNode(ISTORE, value)));                          // l ms
            }
            before(insn, isTimed || isFine ? under(2) : list(new InsnNode(DUP)));            // l ms l
            before(insn, hook("beforeWait", "(" + OBJECT + T + "I)V", site));                // l ms
            if (isFine) {
                before(insn, list(new VarInsnNode(ILOAD, value)));                           // l ms ns
            }
            after(insn, unlock("afterWait"));
        }
    }

    // ---- blocks and synchronized methods

    /** Entry and exit of the method, also by exception. The handler sees none of the program's locals, so any frame fits it. */
    private void bracket() {
        int site = sites.plain("method", method, firstLine, "");
        int lockSite = isSynchronized && isStatic && old() ? sites.owner("monitor", method, firstLine) : sites.plain("monitor", method, firstLine, "");
        needsState = true;
        InsnList entry = new InsnList();
        if (isAtomic) {
            entry.add(hook("begin", "(" + T + "I)I", site));                                 // n
            entry.add(new VarInsnNode(ISTORE, outer));                                       // -
        }
        LabelNode start = new LabelNode();
        entry.add(start);
        if (isSynchronized) {
            entry.add(list(new VarInsnNode(ALOAD, lock)));
            entry.add(hook("enter", "(" + OBJECT + T + "I)V", lockSite));
        }
        AbstractInsnNode[] body = code.toArray();
        if (superCall != null) {
            code.insert(superCall, entry);
        } else {
            code.insert(entry);
        }
        cover(start, body, site, lockSite);
    }

    private void cover(LabelNode start, AbstractInsnNode[] body, int site, int lockSite) {
        LabelNode handler = new LabelNode();
        List<TryCatchBlockNode> blocks = new ArrayList<>();
        boolean isInside = superCall == null;
        for (AbstractInsnNode insn : body) {
            int op = insn.getOpcode();
            if (isInside && op >= IRETURN && op <= RETURN) {
                LabelNode end = new LabelNode();
                LabelNode next = new LabelNode();
                code.insertBefore(insn, end);
                code.insertBefore(insn, exit(site, lockSite, false));
                code.insert(insn, next);
                cover(blocks, start, end, handler);
                start = next;
            }
            isInside |= insn == superCall;
        }
        LabelNode last = new LabelNode();
        code.add(last);
        cover(blocks, start, last, handler);
        code.add(handler);
        if ((type.version & 0xffff) >= V1_6) {
            code.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        }
        code.add(exit(site, lockSite, true));
        code.add(new InsnNode(ATHROW));
        method.tryCatchBlocks.addAll(blocks);
    }

    /** Adds a range unless there is no instruction in it, which the format forbids. */
    private static void cover(List<TryCatchBlockNode> blocks, LabelNode start, LabelNode end, LabelNode handler) {
        for (AbstractInsnNode insn = start; insn != end; insn = insn.getNext()) {
            if (insn.getOpcode() >= 0) {
                blocks.add(new TryCatchBlockNode(start, end, handler, null));
                return;
            }
        }
    }

    private InsnList exit(int site, int lockSite, boolean byException) {
        InsnList list = new InsnList();
        if (isSynchronized) {
            list.add(new VarInsnNode(ALOAD, lock));
            list.add(hook("exit", "(" + OBJECT + T + "I)V", lockSite));
        }
        if (isAtomic) {
            list.add(new VarInsnNode(ALOAD, state));
            list.add(sites.push(code, site));
            list.add(list(new InsnNode(byException ? ICONST_1 : ICONST_0), new VarInsnNode(ILOAD, outer)));
            list.add(new MethodInsnNode(INVOKESTATIC, HOOKS, "end", "(" + T + "IZI)V", false));
        }
        return list;
    }

    private boolean old() {
        return (type.version & 0xffff) < V1_5;
    }

    // ---- the state in a local, and the frames

    private void prologue() {
        InsnList list = list(new MethodInsnNode(INVOKESTATIC, THREADS, "current", "()" + T, false), new VarInsnNode(ASTORE, state));
        if (isSynchronized) {
            if (!isStatic) {
                list.add(new VarInsnNode(ALOAD, 0));
            } else if (!old()) {
                list.add(new LdcInsnNode(Type.getObjectType(type.name)));
            } else {
                list.add(sites.push(code, sites.owner("monitor", method, firstLine)));
                list.add(new MethodInsnNode(INVOKESTATIC, HOOKS, "classOf", "(I)Ljava/lang/Class;", false));
            }
            list.add(new VarInsnNode(ASTORE, lock));
        }
        if (isAtomic) {
            list.add(list(new InsnNode(ICONST_0), new VarInsnNode(ISTORE, outer)));
        }
        code.insert(list);
        method.maxLocals += 4;
    }

    private void frames() {
        for (AbstractInsnNode insn : code) {
            if (insn instanceof FrameNode) {
                FrameNode frame = (FrameNode) insn;
                List<Object> locals = new ArrayList<>(frame.local);
                int size = 0;
                for (Object local : locals) {
                    size += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
                }
                for (; size < state; size++) {
                    locals.add(Opcodes.TOP);
                }
                locals.add(STATE);
                if (isSynchronized || isAtomic) {
                    locals.add(isSynchronized ? "java/lang/Object" : Opcodes.TOP);
                }
                if (isAtomic) {
                    locals.add(Opcodes.INTEGER);
                }
                frame.local = locals;
            }
        }
    }

    // ---- small things

    /** Calls a hook with what is on the stack, the thread's state and the site. */
    private InsnList hook(String name, String desc, int site) {
        needsState = true;
        return list(new VarInsnNode(ALOAD, state), sites.push(code, site), new MethodInsnNode(INVOKESTATIC, HOOKS, name, desc, false));
    }

    private InsnList unlock(String name) {
        needsState = true;
        return list(new VarInsnNode(ALOAD, state), new MethodInsnNode(INVOKESTATIC, HOOKS, name, "(" + T + ")V", false));
    }

    private void before(AbstractInsnNode insn, InsnList list) {
        code.insertBefore(insn, list);
    }

    private void after(AbstractInsnNode insn, InsnList list) {
        code.insert(insn, list);
    }

    private static InsnList list(AbstractInsnNode... insns) {
        InsnList list = new InsnList();
        for (AbstractInsnNode insn : insns) {
            list.add(insn);
        }
        return list;
    }
}
