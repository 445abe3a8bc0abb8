package dev.regiontrack.instrument.flow;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.VarInsnNode;

/** Where a method goes on behind a {@code compareAndSet} that has succeeded, and behind one that has failed. */
final class Outcome {
    final int succeeded;
    final int failed;
    /** Whether these differ. If not, the result is not compared right there. */
    final boolean isTested;

    private Outcome(int succeeded, int failed, boolean isTested) {
        this.succeeded = succeeded;
        this.failed = failed;
        this.isTested = isTested;
    }

    static Outcome of(Jumps jumps, Expanded code, int compareAndSet) {
        int after = next(jumps, code, compareAndSet);
        int test = test(jumps, after);
        int op = test < jumps.size() ? jumps.at(test).getOpcode() : -1;
        if (op != Opcodes.IFEQ && op != Opcodes.IFNE) {
            return new Outcome(after, after, false);
        }
        int jumped = jumps.real(jumps.next(test)[0]);
        int next = jumps.real(test + 1);
        return op == Opcodes.IFEQ ? new Outcome(next, jumped, true) : new Outcome(jumped, next, true);
    }

    /** Returns the instruction that compares the result: the next one, or the one after the result was stored in a local and loaded again. */
    private static int test(Jumps jumps, int after) {
        if (after == jumps.size() || jumps.at(after).getOpcode() != Opcodes.ISTORE) {
            return after;
        }
        int load = jumps.real(after + 1);
        // One jump, to the condition of a loop: an endless loop without a body jumps to itself.
        if (load < jumps.size() && jumps.at(load).getOpcode() == Opcodes.GOTO) {
            load = jumps.real(jumps.next(load)[0]);
        }
        boolean isSame = load < jumps.size() && jumps.at(load).getOpcode() == Opcodes.ILOAD && ((VarInsnNode) jumps.at(load)).var == ((VarInsnNode) jumps.at(after)).var;
        return isSame ? jumps.real(load + 1) : after;
    }

    /** Returns the next instruction, past the jumps and nops of expanded calls. */
    private static int next(Jumps jumps, Expanded code, int after) {
        int i = jumps.real(after + 1);
        while (i < jumps.size() && code.isInside(jumps.at(i)) && (jumps.at(i).getOpcode() == Opcodes.GOTO || jumps.at(i).getOpcode() == Opcodes.NOP)) {
            i = jumps.real(jumps.next(i)[0]);
        }
        return i;
    }
}
