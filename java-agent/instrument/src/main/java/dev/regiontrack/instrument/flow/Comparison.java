package dev.regiontrack.instrument.flow;

import java.util.function.LongPredicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** A conditional jump that compares what a read has found with a value that is known by a name. */
final class Comparison {
    private static final int LESS = 1;
    private static final int EQUAL = 2;
    private static final int GREATER = 4;
    private static final int ALL = LESS | EQUAL | GREATER;
    /** By kind of jump, in the order of their codes: equal, not equal, less, not less, greater, not greater. */
    private static final int[] TAKEN = {EQUAL, LESS | GREATER, LESS, EQUAL | GREATER, GREATER, LESS | EQUAL};

    /** The name of the value with which it is compared ({@link SharedValues}). */
    private final String with;
    /** A bit for each order of the two values with which the jump is taken. */
    private final int taken;

    private Comparison(String with, int taken) {
        this.with = with;
        this.taken = taken;
    }

    /** Returns the comparison at a jump; null if it is another one, or not of what one of these reads has found. */
    static Comparison of(Jumps jumps, Frame<SharedValue>[] frames, int jump, LongPredicate reads) {
        int op = jumps.at(jump).getOpcode();
        Frame<SharedValue> frame = frames[jump];
        if (frame == null) {
            return null;
        }
        if (op == Opcodes.IFNULL || op == Opcodes.IFNONNULL) {
            return of(below(frame, 0), SharedValues.NULL, op == Opcodes.IFNULL ? EQUAL : LESS | GREATER, reads);
        }
        if (op >= Opcodes.IFEQ && op <= Opcodes.IFLE) {
            int taken = TAKEN[op - Opcodes.IFEQ];
            AbstractInsnNode before = jumps.at(jump).getPrevious();
            boolean isOfLong = before != null && before.getOpcode() == Opcodes.LCMP && frames[jump - 1] != null;
            return isOfLong ? of(frames[jump - 1], taken, reads) : of(below(frame, 0), "#0", taken, reads);
        }
        if (op >= Opcodes.IF_ICMPEQ && op <= Opcodes.IF_ACMPNE) {
            return of(frame, TAKEN[op >= Opcodes.IF_ACMPEQ ? op - Opcodes.IF_ACMPEQ : op - Opcodes.IF_ICMPEQ], reads);
        }
        return null;
    }

    /** Compares the two uppermost values. */
    private static Comparison of(Frame<SharedValue> frame, int taken, LongPredicate reads) {
        SharedValue one = below(frame, 1);
        SharedValue two = below(frame, 0);
        Comparison result = of(one, two.name, taken, reads);
        boolean isOther = result == null || isOne(two, reads);
        // From the other side, less is greater.
        return isOther ? of(two, one.name, taken & EQUAL | (taken & LESS) * GREATER | (taken & GREATER) / GREATER, reads) : result;
    }

    private static Comparison of(SharedValue value, String with, int taken, LongPredicate reads) {
        return with != null && isOne(value, reads) ? new Comparison(with, taken) : null;
    }

    /** Whether the value is what one of these reads has found. */
    static boolean isOne(SharedValue value, LongPredicate reads) {
        return value.unchanged != 0 && value.unchanged == value.from && reads.test(value.unchanged);
    }

    private static SharedValue below(Frame<SharedValue> frame, int n) {
        return frame.getStack(frame.getStackSize() - 1 - n);
    }

    /** Returns a bit for each order of the values with which the jump is taken, or is not. */
    int orders(boolean isTaken) {
        return isTaken ? taken : ALL & ~taken;
    }

    /** Whether the other one compares with the same value. */
    boolean isLike(Comparison other) {
        return with.equals(other.with);
    }
}
