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
 * Where methods that can be asked ({@link PureMethods}) have hooks that matter only while they are asked: before a call of which only the running program knows what it
 * reaches, before a read of a static field of another class, which can be the first to need that class, and before what may have an effect, but on a way on which the method throws. A question that comes to one of these ends, and the method is called as usual.
 */
public final class Questions {
    /** Each of these takes a little time whenever the method is called. */
    private static final int MOST_CALLS = 2;
    /** The operands above the receiver that a hook can look below, in words. */
    private static final int MOST_WORDS = 2;

    private final Set<AbstractInsnNode> calls = new HashSet<>();
    private final Set<AbstractInsnNode> fields = new HashSet<>();
    private final Set<AbstractInsnNode> ends = new HashSet<>();

    /** True for a call of which it is asked before whether it does nothing but read and compute. */
    public boolean isCall(AbstractInsnNode insn) {
        return calls.contains(insn);
    }

    /** True for a read of a static field before which it is asked whether the initializer of its class is over. */
    public boolean isField(AbstractInsnNode insn) {
        return fields.contains(insn);
    }

    /** True for an instruction that is never executed in a question. */
    public boolean isEnd(AbstractInsnNode insn) {
        return ends.contains(insn);
    }

    /** Takes over those of a method. */
    void add(Questions other) {
        calls.addAll(other.calls);
        fields.addAll(other.fields);
        ends.addAll(other.ends);
    }

    /** True if there is a hook before this call from now on. */
    boolean addCall(AbstractInsnNode insn, Variables variables) {
        if (calls.size() == MOST_CALLS || !variables.canBeAsked(insn) || Variables.isVoid((MethodInsnNode) insn)) {
            return false;
        }
        return (insn.getOpcode() == Opcodes.INVOKESTATIC || words((MethodInsnNode) insn) <= MOST_WORDS) && calls.add(insn);
    }

    /** True if there is a hook before this read of a static field from now on. */
    boolean addField(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.GETSTATIC && fields.size() < MOST_CALLS && fields.add(insn);
    }

    /** The operands of a call above its receiver, in words. */
    public static int words(MethodInsnNode call) {
        return (Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1;
    }

    /** True if the method can do nothing from here on but throw, in a straight line, so that there is a hook before this instruction from now on. */
    boolean addEnd(AbstractInsnNode insn) {
        AbstractInsnNode at = insn;
        while (at != null && at.getOpcode() != Opcodes.ATHROW) {
            if (Jumps.canJump(at) || Callees.isReturn(at)) {
                return false;
            }
            at = at.getNext();
        }
        return at != null && ends.add(insn);
    }

    /**
     * True for the jump at the end of a loop that counts, as {@code for (int i = 0; i < n; i++)} does, up to a local or the length of an array that do not change in it: it
     * comes to its end, whatever other threads do.
     */
    static boolean counts(AbstractInsnNode jump, MethodNode in) {
        // Whoever skips the increment jumps to behind it, where a frame is.
        AbstractInsnNode increment = before(jump);
        if (jump.getOpcode() != Opcodes.GOTO || !(increment instanceof IincInsnNode) || ((IincInsnNode) increment).incr != 1) {
            return false;
        }
        LabelNode head = ((JumpInsnNode) jump).label;
        AbstractInsnNode index = following(head);
        AbstractInsnNode bound = following(index);
        AbstractInsnNode test = following(bound);
        test = test != null && test.getOpcode() == Opcodes.ARRAYLENGTH ? following(test) : test;
        int local = ((IincInsnNode) increment).var;
        boolean isTest = index != null && index.getOpcode() == Opcodes.ILOAD && ((VarInsnNode) index).var == local && bound instanceof VarInsnNode && !Purity.isStore(bound)
            && test != null && test.getOpcode() == Opcodes.IF_ICMPGE;
        return isTest && isLeft(((JumpInsnNode) test).label, jump, in) && areKept(local, ((VarInsnNode) bound).var, head, increment);
    }

    /** True if a jump leads out of the loop. */
    private static boolean isLeft(LabelNode to, AbstractInsnNode end, MethodNode in) {
        return in.instructions.indexOf(to) > in.instructions.indexOf(end);
    }

    /** True if the index and the bound are not set between the head of the loop and the increment. */
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

    private static AbstractInsnNode following(AbstractInsnNode insn) {
        AbstractInsnNode next = insn == null ? null : insn.getNext();
        while (next != null && next.getOpcode() < 0) {
            next = next.getNext();
        }
        return next;
    }

    private static AbstractInsnNode before(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before != null && before.getOpcode() < 0 && !(before instanceof FrameNode)) {
            before = before.getPrevious();
        }
        return before;
    }
}
