package dev.regiontrack.instrument.flow;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Where methods that can be asked ({@link PureMethods}) have hooks that matter only while they are asked: before a call whose target is known only at
 * run time, before a read of another class's static field, which can be the first use of the class, and before a possible effect on a path on which
 * the method throws. A question that comes to one of these ends, and the method is called as usual.
 */
public final class Questions {
    /** The most hooks of a kind: each takes a little time whenever the method is called. */
    private static final int MOST_CALLS = 2;
    /** The operands above the receiver that a hook can look below, in words. */
    private static final int MOST_WORDS = 2;

    // Most methods have none.
    private Set<AbstractInsnNode> calls = Set.of();
    private Set<AbstractInsnNode> fields = Set.of();
    private Set<AbstractInsnNode> ends = Set.of();

    /** Whether the call is preceded by the question whether it does nothing but read and compute. */
    public boolean isCall(AbstractInsnNode insn) {
        return calls.contains(insn);
    }

    /** Whether the read of a static field is preceded by the question whether its class's initializer is over. */
    public boolean isField(AbstractInsnNode insn) {
        return fields.contains(insn);
    }

    /** Whether the instruction is never executed in a question. */
    public boolean isEnd(AbstractInsnNode insn) {
        return ends.contains(insn);
    }

    /** Whether there are such instructions, which can be of any kind. */
    public boolean haveEnds() {
        return !ends.isEmpty();
    }

    /** Adds those of a method. */
    void add(Questions other) {
        calls = both(calls, other.calls);
        fields = both(fields, other.fields);
        ends = both(ends, other.ends);
    }

    private static Set<AbstractInsnNode> both(Set<AbstractInsnNode> some, Set<AbstractInsnNode> others) {
        if (others.isEmpty()) {
            return some;
        }
        Set<AbstractInsnNode> result = some.isEmpty() ? new HashSet<>() : some;
        result.addAll(others);
        return result;
    }

    /** Adds a hook before this call, if that is possible; returns whether it was. */
    boolean addCall(AbstractInsnNode insn, Variables variables) {
        if (calls.size() == MOST_CALLS || !variables.canBeAsked(insn) || Variables.isVoid((MethodInsnNode) insn)) {
            return false;
        }
        boolean isReached = insn.getOpcode() == Opcodes.INVOKESTATIC || words((MethodInsnNode) insn) <= MOST_WORDS;
        calls = isReached ? both(calls, Set.of(insn)) : calls;
        return isReached;
    }

    /** Adds a hook before this read of a static field, if that is possible; returns whether it was. */
    boolean addField(AbstractInsnNode insn) {
        boolean isOne = insn.getOpcode() == Opcodes.GETSTATIC && fields.size() < MOST_CALLS;
        fields = isOne ? both(fields, Set.of(insn)) : fields;
        return isOne;
    }

    /** Returns the operands of a call above its receiver, in words. */
    public static int words(MethodInsnNode call) {
        return (Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1;
    }

    /** Adds a hook before this instruction if the method can only throw from here on, in a straight line; returns whether it was added. */
    boolean addEnd(AbstractInsnNode insn) {
        AbstractInsnNode at = insn;
        while (at != null && at.getOpcode() != Opcodes.ATHROW) {
            if (Jumps.canJump(at) || Callees.isReturn(at)) {
                return false;
            }
            at = at.getNext();
        }
        ends = at != null ? both(ends, Set.of(insn)) : ends;
        return at != null;
    }

    /**
     * Whether this is the jump at the end of a loop that counts, like {@code for (int i = 0; i < n; i++)}, up to a local or the length of an array
     * that do not change in it: the loop ends, whatever other threads do.
     */
    static boolean counts(AbstractInsnNode jump, MethodNode in) {
        // Code that skips the increment jumps behind it, where a frame is.
        AbstractInsnNode increment = before(jump);
        if (jump.getOpcode() != Opcodes.GOTO || !(increment instanceof IincInsnNode) || ((IincInsnNode) increment).incr != 1) {
            return false;
        }
        LabelNode head = ((JumpInsnNode) jump).label;
        AbstractInsnNode index = Jumps.following(head);
        AbstractInsnNode bound = Jumps.following(index);
        AbstractInsnNode test = Jumps.following(bound);
        test = test != null && test.getOpcode() == Opcodes.ARRAYLENGTH ? Jumps.following(test) : test;
        int local = ((IincInsnNode) increment).var;
        boolean isTest = index != null && index.getOpcode() == Opcodes.ILOAD && ((VarInsnNode) index).var == local && bound instanceof VarInsnNode && !Purity.isStore(bound)
            && test != null && test.getOpcode() == Opcodes.IF_ICMPGE;
        return isTest && isLeft(((JumpInsnNode) test).label, jump, in) && areKept(local, ((VarInsnNode) bound).var, head, increment);
    }

    /** Whether a jump leads out of the loop. */
    private static boolean isLeft(LabelNode to, AbstractInsnNode end, MethodNode in) {
        return in.instructions.indexOf(to) > in.instructions.indexOf(end);
    }

    /** Whether the index and the bound are not set between the head of the loop and the increment. */
    private static boolean areKept(int index, int bound, AbstractInsnNode head, AbstractInsnNode increment) {
        for (AbstractInsnNode insn = head; insn != increment; insn = insn.getNext()) {
            if (insn == null) {
                return false;
            }
            int set = insn instanceof IincInsnNode ? ((IincInsnNode) insn).var : Purity.isStore(insn) ? ((VarInsnNode) insn).var : -1;
            if (set == index || set == bound) {
                return false;
            }
        }
        return true;
    }

    private static AbstractInsnNode before(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before != null && before.getOpcode() < 0 && !(before instanceof FrameNode)) {
            before = before.getPrevious();
        }
        return before;
    }
}
