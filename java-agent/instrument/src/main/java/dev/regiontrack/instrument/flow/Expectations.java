package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Decides whether a successful {@code compareAndSet} would also have been reached if the preceding reads had found what it has found: the value that
 * it expected. Then it is as good as those reads, as in {@code started.get() == 0 && started.compareAndSet(0, 1)}.
 */
final class Expectations {
    private final Jumps jumps;
    private final Frame<SharedValue>[] frames;

    Expectations(Jumps jumps, Frame<SharedValue>[] frames) {
        this.jumps = jumps;
        this.frames = frames;
    }

    /**
     * Whether none of the operands follows from these reads, and whatever they decide on the way to the call at {@code from} is also decided by the
     * expected value. The {@code compareAndSet} at {@code at} has {@code operands} operands.
     */
    boolean decide(int from, int at, int operands, long reads, int start, BitSet region) {
        Frame<SharedValue> frame = frames[at];
        for (int i = 1; i <= operands; i++) {
            if ((frame.getStack(frame.getStackSize() - i).from & reads) != 0) {
                return false;
            }
        }
        String expected = frame.getStack(frame.getStackSize() - 2).name;
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            if (jumps.next(i).length > 1 && follows(jumps.at(i), frames[i], reads)) {
                Boolean isTaken = expected == null ? null : isTaken(i, expected, reads);
                if (isTaken == null || leads(jumps.next(i)[isTaken ? 1 : 0], from, start, region)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a jump depends on these reads. */
    static boolean follows(AbstractInsnNode jump, Frame<SharedValue> frame, long reads) {
        if (frame == null) {
            return false;
        }
        int compared = jump.getOpcode() >= Opcodes.IF_ICMPEQ && jump.getOpcode() <= Opcodes.IF_ACMPNE ? 2 : 1;
        for (int i = 1; i <= compared; i++) {
            if ((frame.getStack(frame.getStackSize() - i).from & reads) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is a path from there to the call that does not restart the attempt. */
    private boolean leads(int to, int call, int start, BitSet region) {
        boolean[] leads = new boolean[1];
        int first = jumps.real(to);
        if (first == call) {
            return true;
        }
        if (first == start || !region.get(first)) {
            return false;
        }
        jumps.walk(first, i -> {
            leads[0] |= i == call;
            return i == call || i == start || !region.get(i) ? Step.END : Step.ON;
        });
        return leads[0];
    }

    /** Whether the jump is taken if one of these reads has found the expected value; null if that is unknown. */
    private Boolean isTaken(int jump, String expected, long reads) {
        Frame<SharedValue> frame = frames[jump];
        SharedValue top = frame.getStack(frame.getStackSize() - 1);
        int op = jumps.at(jump).getOpcode();
        if (op == Opcodes.IFNULL || op == Opcodes.IFNONNULL) {
            boolean isNull = expected.equals(SharedValues.NULL);
            boolean isKnown = isOne(top, reads) && (isNull || Variables.isThere(expected));
            return isKnown ? isNull == (op == Opcodes.IFNULL) : null;
        }
        if (op >= Opcodes.IFEQ && op <= Opcodes.IFLE) {
            Integer order = isOne(top, reads) ? order(expected, SharedValues.ZERO) : compared(jump, expected, reads);
            return order == null ? null : isTaken(op - Opcodes.IFEQ, order);
        }
        if (op >= Opcodes.IF_ICMPEQ && op <= Opcodes.IF_ACMPNE) {
            Integer order = order(frame.getStack(frame.getStackSize() - 2), top, expected, reads);
            boolean isReference = op >= Opcodes.IF_ACMPEQ;
            if (order == null || isReference && order != 0) {
                return null;
            }
            return isTaken(op - (isReference ? Opcodes.IF_ACMPEQ : Opcodes.IF_ICMPEQ), order);
        }
        return null;
    }

    /** For the jumps in the order of their codes: equal, not equal, less, not less, greater, not greater. */
    private static boolean isTaken(int kind, int order) {
        boolean[] taken = {order == 0, order != 0, order < 0, order >= 0, order > 0, order <= 0};
        return taken[kind];
    }

    /** Returns the result of the comparison of {@code long} right before a jump; null if there is none, or it is unknown. */
    private Integer compared(int jump, String expected, long reads) {
        AbstractInsnNode insn = jumps.at(jump).getPrevious();
        int at = jump - 1;
        if (insn == null || insn.getOpcode() != Opcodes.LCMP || frames[at] == null) {
            return null;
        }
        Frame<SharedValue> frame = frames[at];
        return order(frame.getStack(frame.getStackSize() - 2), frame.getStack(frame.getStackSize() - 1), expected, reads);
    }

    /** Compares two values, one of which is what a read has found. */
    private static Integer order(SharedValue one, SharedValue two, String expected, long reads) {
        if (isOne(one, reads) && two.from == 0) {
            return order(expected, two.name);
        }
        return isOne(two, reads) && one.from == 0 ? order(one.name, expected) : null;
    }

    /** Whether the value is what one of these reads has found. */
    private static boolean isOne(SharedValue value, long reads) {
        return value.unchanged != 0 && value.unchanged == value.from && (value.unchanged & ~reads) == 0;
    }

    /** Compares two values with names; null if the result is unknown. */
    private static Integer order(String one, String two) {
        if (one == null || two == null) {
            return null;
        }
        if (one.equals(two)) {
            return 0;
        }
        Long first = SharedValues.number(one);
        Long second = SharedValues.number(two);
        return first == null || second == null ? null : first.compareTo(second);
    }
}
