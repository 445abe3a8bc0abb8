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
        Comparison comparison = Comparison.of(jumps.at(jump), frames[jump], jump == 0 ? null : frames[jump - 1], value -> value.isRead() && (value.unchanged & ~reads) == 0);
        int order = comparison == null ? 0 : order(expected, comparison.with);
        return order == 0 ? null : comparison.leads(true, order);
    }

    /** Returns the order of two values with names; 0 if it is unknown. */
    private static int order(String one, String two) {
        if (one.equals(two)) {
            return Comparison.EQUAL;
        }
        if (two.equals(SharedValues.NULL)) {
            // All that counts is that they differ.
            return Variables.isThere(one) ? Comparison.GREATER : 0;
        }
        Long first = SharedValues.number(one);
        Long second = SharedValues.number(two);
        return first == null || second == null ? 0 : Comparison.order(first, second);
    }
}
