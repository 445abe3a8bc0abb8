package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Walk;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Finds which instructions have no effect, judged one by one; and thus, at a first look, which methods can have {@link Attempts} at all. */
final class Purity {
    /** Calls that can be repeated without a difference, and never throw. */
    private static final Set<String> NO_EFFECT = Set.of("java/lang/Thread.onSpinWait", "java/lang/Thread.yield", "java/lang/System.nanoTime",
        "java/lang/System.currentTimeMillis", "java/lang/invoke/VarHandle.acquireFence", "java/lang/invoke/VarHandle.loadLoadFence");
    /** Methods of {@code Math} that compute, except those that can throw. */
    private static final Set<String> MATHS = Set.of("max", "min", "abs", "signum", "sqrt", "floor", "ceil", "round", "rint", "pow", "exp", "log");
    /** Methods of the numeric classes that take and return numbers. */
    private static final Set<String> OF_NUMBERS = Set.of("compare", "compareUnsigned", "sum", "max", "min", "signum", "bitCount", "highestOneBit", "lowestOneBit", "numberOfLeadingZeros",
        "numberOfTrailingZeros", "rotateLeft", "rotateRight", "reverse", "reverseBytes", "toUnsignedInt", "toUnsignedLong", "isNaN", "isFinite", "isInfinite", "doubleToLongBits",
        "doubleToRawLongBits", "longBitsToDouble", "floatToIntBits", "floatToRawIntBits", "intBitsToFloat");
    private static final Set<String> NUMBERS = Set.of("java/lang/Integer", "java/lang/Long", "java/lang/Short", "java/lang/Byte", "java/lang/Character", "java/lang/Boolean", "java/lang/Double",
        "java/lang/Float");
    private static final Set<String> BOXES = Set.of("java/lang/Integer", "java/lang/Long", "java/lang/Short", "java/lang/Byte", "java/lang/Character", "java/lang/Boolean");
    /** Calls that only take time. */
    private static final Set<String> PAUSES = Set.of("java/lang/Thread.sleep", "java/util/concurrent/locks/LockSupport.parkNanos");

    private Purity() {
    }

    /** Whether a call can be repeated without a difference, and never throws. */
    static boolean isFree(MethodInsnNode call) {
        if (call.getOpcode() != Opcodes.INVOKESTATIC || !call.owner.startsWith("java/lang/")) {
            return false;
        }
        boolean isMath = (call.owner.equals("java/lang/Math") || call.owner.equals("java/lang/StrictMath")) && MATHS.contains(call.name);
        boolean isOfNumber = NUMBERS.contains(call.owner) && OF_NUMBERS.contains(call.name) && call.desc.indexOf('L') < 0;
        return isMath || isOfNumber || NO_EFFECT.contains(call.owner + '.' + call.name) || isBox(call);
    }

    /** Whether a call boxes a number in an object whose identity does not matter. */
    static boolean isBox(MethodInsnNode call) {
        return call.name.equals("valueOf") && BOXES.contains(call.owner) && call.desc.charAt(2) == ')';
    }

    /** Whether the result changes as time passes, whatever other threads do. */
    static boolean isOfTime(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode && ((MethodInsnNode) insn).owner.equals("java/lang/System");
    }

    /** Whether a call only takes time. */
    static boolean isPause(MethodInsnNode call) {
        return call.owner.startsWith("java/") && PAUSES.contains(call.owner + '.' + call.name);
    }

    /** Whether a call only takes time, and does not tell why it returns. */
    static boolean isPark(MethodInsnNode call) {
        return call.name.equals("parkNanos") && isPause(call);
    }

    static boolean isFieldRead(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.GETFIELD || insn.getOpcode() == Opcodes.GETSTATIC;
    }

    static boolean isStore(AbstractInsnNode insn) {
        return insn instanceof VarInsnNode && insn.getOpcode() >= Opcodes.ISTORE && insn.getOpcode() <= Opcodes.ASTORE;
    }

    /** Whether the instruction changes this local. */
    static boolean setsLocal(AbstractInsnNode insn, int local) {
        return isStore(insn) && ((VarInsnNode) insn).var == local || insn.getOpcode() == Opcodes.IINC && ((IincInsnNode) insn).var == local;
    }

    /** Whether the instruction throws only if there is a zero on the stack. */
    static boolean isDivision(int op) {
        return op == Opcodes.IDIV || op == Opcodes.LDIV || op == Opcodes.IREM || op == Opcodes.LREM;
    }

    /** Whether the instruction works on the stack alone, never throws, and does not leave the method. */
    static boolean isComputation(int op) {
        boolean isConstant = op >= Opcodes.NOP && op <= Opcodes.SIPUSH;
        boolean isLoad = op >= Opcodes.ILOAD && op <= Opcodes.ALOAD;
        boolean isOnStack = op >= Opcodes.POP && op <= Opcodes.SWAP;
        boolean isArithmetic = op >= Opcodes.IADD && op <= Opcodes.DCMPG && op != Opcodes.IINC && !isDivision(op);
        boolean isJump = op >= Opcodes.IFEQ && op <= Opcodes.GOTO || op == Opcodes.TABLESWITCH || op == Opcodes.LOOKUPSWITCH
            || op == Opcodes.IFNULL || op == Opcodes.IFNONNULL;
        return isConstant || isLoad || isOnStack || isArithmetic || isJump;
    }

    /** Whether an instruction locks, compares and sets, or puts a key into a map if it is not there: what a method does that has looked before. */
    static boolean isAct(AbstractInsnNode insn, Variables variables) {
        if (insn.getType() == AbstractInsnNode.METHOD_INSN) {
            return ((MethodInsnNode) insn).owner.startsWith("java/") && (Variables.isLock(insn) || variables.isAct(insn) || variables.isCompareAndSet(insn));
        }
        return insn.getOpcode() == Opcodes.MONITORENTER;
    }

    /** Whether a method has a jump that {@link #canGoRound}. Most methods have none, and closer analysis takes time. */
    static boolean mayGoRound(MethodNode method, Variables variables) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (Jumps.canJump(insn) && canGoRound(insn, method, variables)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a loop of a method can go round without an effect, if no call of a method of the program has any, and no local counts as needed. */
    static boolean canGoRound(MethodNode method, Variables variables) {
        Jumps jumps = new Jumps(method);
        Set<AbstractInsnNode> calls = new HashSet<>();
        for (int i = 0; i < jumps.size(); i++) {
            if (jumps.at(i) instanceof MethodInsnNode && variables.isOfProgram((MethodInsnNode) jumps.at(i))) {
                calls.add(jumps.at(i));
            }
        }
        return jumps.areKnown && canGoRound(jumps, null, variables, calls);
    }

    /**
     * Whether a jump leads back, and the instructions that are certainly executed in that round, those before the jump and at its target, have no
     * certain effect.
     */
    private static boolean canGoRound(AbstractInsnNode jump, MethodNode method, Variables variables) {
        int at = method.instructions.indexOf(jump);
        for (LabelNode target : Jumps.targets(jump)) {
            if (method.instructions.indexOf(target) < at && !beginsWithEffect(target, variables)) {
                return !endsWithEffect(jump, variables);
            }
        }
        return false;
    }

    /** Whether a round that begins here has an effect before anything is decided, as where a loop takes the next element. */
    private static boolean beginsWithEffect(LabelNode head, Variables variables) {
        for (AbstractInsnNode insn = head; insn != null && !Jumps.canJump(insn); insn = insn.getNext()) {
            if (isCertainEffect(insn, variables)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a round that ends with a jump certainly has an effect right before it, as where a loop counts. */
    private static boolean endsWithEffect(AbstractInsnNode jump, Variables variables) {
        for (AbstractInsnNode insn = jump.getPrevious(); insn != null && !(insn instanceof FrameNode); insn = insn.getPrevious()) {
            if (isCertainEffect(insn, variables)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the instruction cannot be in a round without an effect, whatever the methods of the program that it calls do. */
    private static boolean isCertainEffect(AbstractInsnNode insn, Variables variables) {
        boolean isCall = insn instanceof MethodInsnNode && !Variables.isPlatform(((MethodInsnNode) insn).owner);
        return insn.getOpcode() >= 0 && !isCall && !canBeInRound(insn, variables) && !variables.isCompareAndSet(insn);
    }

    /**
     * The same, once the reads and the jump targets are known: returns which locals are needed later, or null if the method has none of the
     * shapes.
     */
    static Liveness liveIfAttempts(MethodNode method, Variables variables, List<AbstractInsnNode> reads, Jumps jumps) {
        if (looksTwice(method, variables, reads)) {
            return new Liveness(jumps);
        }
        // Most loops have an effect in each round, whatever is needed later; this is checked first, because it takes less time.
        Set<AbstractInsnNode> all = new HashSet<>(reads);
        if (!canGoRound(jumps, null, variables, all)) {
            return null;
        }
        Liveness live = new Liveness(jumps);
        return canGoRound(jumps, live, variables, all) ? live : null;
    }

    /** Whether the method can have one of the shapes without a loop. */
    private static boolean looksTwice(MethodNode method, Variables variables, List<AbstractInsnNode> reads) {
        boolean locks = false;
        for (AbstractInsnNode insn : method.instructions) {
            if (variables.isCompareAndSet(insn) || variables.isAct(insn)) {
                return true;
            }
            locks |= isLock(insn);
        }
        Set<String> names = new HashSet<>();
        boolean readsTwice = false;
        for (AbstractInsnNode read : reads) {
            boolean isVoid = read instanceof MethodInsnNode && Variables.isVoid((MethodInsnNode) read);
            readsTwice |= read instanceof FieldInsnNode ? !names.add(((FieldInsnNode) read).name) : !isVoid;
        }
        return locks && readsTwice;
    }

    private static boolean isLock(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.MONITORENTER || Variables.isLock(insn);
    }

    /** Whether a loop can go round without an effect; {@code live} is null if no local counts as needed. */
    private static boolean canGoRound(Jumps jumps, Liveness live, Variables variables, Set<AbstractInsnNode> reads) {
        Set<Integer> heads = new HashSet<>();
        for (int i = 0; i < jumps.size(); i++) {
            for (int next : jumps.next(i)) {
                if (next <= i) {
                    heads.add(jumps.real(next));
                }
            }
        }
        for (int head : heads) {
            if (canGoRound(jumps, live == null ? new BitSet() : live.before(head), variables, reads, head)) {
                return true;
            }
        }
        return false;
    }

    /** {@code needed} are the locals whose value the next round needs. */
    private static boolean canGoRound(Jumps jumps, BitSet needed, Variables variables, Set<AbstractInsnNode> reads, int head) {
        Walk walk = jumps.walk(head);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            AbstractInsnNode insn = jumps.at(i);
            if (!canBeInRound(insn, variables) && !reads.contains(insn) || isStore(insn) && needed.get(((VarInsnNode) insn).var)) {
                continue;
            }
            for (int next : jumps.next(i)) {
                if (jumps.real(next) == head) {
                    return true;
                }
            }
            walk.goOn();
        }
        return false;
    }

    /** Whether the instruction can be in a round without an effect, apart from reads. */
    private static boolean canBeInRound(AbstractInsnNode insn, Variables variables) {
        return canBeFree(insn, variables) || isDivision(insn.getOpcode()) || insn instanceof MethodInsnNode && isPark((MethodInsnNode) insn);
    }

    /** Whether the instruction may have no effect. */
    static boolean canBeFree(AbstractInsnNode insn, Variables variables) {
        boolean isFreeCall = insn instanceof MethodInsnNode && (isFree((MethodInsnNode) insn) || variables.isRead(insn) || variables.isLook(insn));
        boolean isOfValue = insn instanceof VarInsnNode || insn.getOpcode() == Opcodes.LDC || insn.getOpcode() == Opcodes.CHECKCAST;
        return isFreeCall || isOfValue || isComputation(insn.getOpcode()) || isFieldRead(insn);
    }
}
