package dev.regiontrack.instrument.flow;

import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/** A conditional jump that compares what a read has found with a value that is known by a name. */
final class Comparison {
    static final int LESS = 1;
    static final int EQUAL = 2;
    static final int GREATER = 4;
    private static final int ALL = LESS | EQUAL | GREATER;
    /** By kind of jump, in the order of their codes: equal, not equal, less, not less, greater, not greater. */
    private static final int[] TAKEN = {EQUAL, LESS | GREATER, LESS, EQUAL | GREATER, GREATER, LESS | EQUAL};

    /** The name of the value with which it is compared ({@link SharedValues}). */
    final String with;
    /** A bit for each order of the two values with which the jump is taken. */
    private final int taken;

    private Comparison(String with, int taken) {
        this.with = with;
        this.taken = taken;
    }

    /**
     * Returns the comparison at a jump; null if it is another one, or not of a value that {@code isFound}. {@code frame} is what is known before it,
     * {@code earlier} what is known before the instruction before it.
     */
    static Comparison of(AbstractInsnNode jump, Frame<SharedValue> frame, Frame<SharedValue> earlier, Predicate<SharedValue> isFound) {
        int op = jump.getOpcode();
        if (op == Opcodes.IFNULL || op == Opcodes.IFNONNULL) {
            return of(below(frame, 0), SharedValues.NULL, op == Opcodes.IFNULL ? EQUAL : LESS | GREATER, isFound);
        }
        if (op >= Opcodes.IFEQ && op <= Opcodes.IFLE) {
            int taken = TAKEN[op - Opcodes.IFEQ];
            boolean isOfLong = jump.getPrevious() != null && jump.getPrevious().getOpcode() == Opcodes.LCMP && earlier != null;
            return isOfLong ? ofTwo(earlier, taken, isFound) : of(below(frame, 0), SharedValues.ZERO, taken, isFound);
        }
        if (op >= Opcodes.IF_ICMPEQ && op <= Opcodes.IF_ACMPNE) {
            return ofTwo(frame, TAKEN[op >= Opcodes.IF_ACMPEQ ? op - Opcodes.IF_ACMPEQ : op - Opcodes.IF_ICMPEQ], isFound);
        }
        return null;
    }

    /** Compares the two uppermost values. */
    private static Comparison ofTwo(Frame<SharedValue> frame, int taken, Predicate<SharedValue> isFound) {
        SharedValue one = below(frame, 1);
        SharedValue two = below(frame, 0);
        Comparison result = of(one, fixed(two), taken, isFound);
        // From the other side, less is greater.
        return result != null ? result : of(two, fixed(one), taken & EQUAL | (taken & LESS) * GREATER | (taken & GREATER) / GREATER, isFound);
    }

    /** Returns the name of a value that follows from no read. */
    private static String fixed(SharedValue value) {
        return value.from == 0 ? value.name : null;
    }

    private static Comparison of(SharedValue value, String with, int taken, Predicate<SharedValue> isFound) {
        return with != null && isFound.test(value) ? new Comparison(with, taken) : null;
    }

    private static SharedValue below(Frame<SharedValue> frame, int n) {
        return frame.getStack(frame.getStackSize() - 1 - n);
    }

    /** Returns the order of two numbers. */
    static int order(long one, long two) {
        return one < two ? LESS : one == two ? EQUAL : GREATER;
    }

    /** Whether the jump goes this way with this order of the two values. */
    boolean leads(boolean isTaken, int order) {
        return ((isTaken ? taken : ALL & ~taken) & order) != 0;
    }
}
