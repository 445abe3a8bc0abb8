package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The consequences of an attempt's reads where it ends: none, if the method then itself looks at what was read, and uses nothing that it knows from
 * before ({@link Attempts}).
 */
final class Consequences {
    private final Expanded code;
    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;
    /** The numbers of the instructions that are reads, in the order of their bits. */
    private final int[] places;
    /** A bit for each read that is a lookup in a map. */
    private final long looks;
    private final MapLooks maps;
    private final Publications publications;
    private final Expectations expectations;
    private final SecondLooks secondLooks;

    Consequences(Expanded code, Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames, int[] places, long looks) {
        this.code = code;
        this.jumps = jumps;
        this.live = live;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
        this.places = places;
        this.looks = looks;
        maps = new MapLooks(jumps, live, variables, values, frames);
        publications = new Publications(code, jumps, variables, values, frames);
        expectations = new Expectations(jumps, frames);
        secondLooks = new SecondLooks(jumps, live, variables, values, frames, places);
    }

    /** Whether this is a call that only lets time pass, whatever was read, before the method is back at the start of the attempt. */
    boolean isPause(int at, int start) {
        AbstractInsnNode insn = jumps.at(at);
        if (!(insn instanceof MethodInsnNode) || !Purity.isPark((MethodInsnNode) insn) || frames[at].getStackSize() != operands(at)) {
            return false;
        }
        for (int i = 0; i < frames[at].getStackSize(); i++) {
            if (frames[at].getStack(i).from != 0) {
                return false;
            }
        }
        int next = jumps.real(at + 1);
        if (next < jumps.size() && jumps.at(next).getOpcode() == Opcodes.GOTO) {
            next = jumps.real(jumps.next(next)[0]);
        }
        return next == start;
    }

    /** Whether all that was read is the variable of this {@code compareAndSet}. */
    boolean areOf(long passed, int compareAndSet) {
        String variable = variables.of(jumps.at(compareAndSet), frames[compareAndSet]);
        return variable != null && secondLooks.areOf(passed, variable);
    }

    /**
     * Whether what was read has no consequence behind this instruction, because the instruction, or the method right after it, looks at the
     * same variable.
     */
    boolean areNone(int at, long passed, int start, BitSet region) {
        int sets = code.compareAndSet(jumps, variables, at);
        AbstractInsnNode insn = jumps.at(sets);
        String variable = variables.of(insn, frames[sets]);
        if (variable != null && variables.isCompareAndSet(insn)) {
            return secondLooks.areOf(passed, variable) && endsWell(at, sets, passed, start, region, variable);
        }
        if (insn.getOpcode() == Opcodes.MONITORENTER || Variables.isLock(insn)) {
            // The choice of the lock must not follow from what was read.
            return frames[at].getStackSize() == 1 && (frames[at].getStack(0).from & passed) == 0 && isUnused(jumps.real(at + 1), passed, true, region)
                && secondLooks.areMade(at, passed) && secondLooks.decide(at, passed, start, region);
        }
        boolean isOneLook = Long.bitCount(passed) == 1 && (passed & ~looks) == 0;
        return isOneLook && isUnused(at, passed, true, region) && maps.areRepeated(places[Long.numberOfTrailingZeros(passed)], at, region);
    }

    /**
     * Returns what the method does from here on, if all of it only computes, from the one value that was read, the replacement that a
     * {@code compareAndSet} of the same variable is to put in its place; otherwise null.
     */
    Publication publication(int at, long passed, int start, BitSet region) {
        if (Long.bitCount(passed) != 1) {
            return null;
        }
        int read = places[Long.numberOfTrailingZeros(passed)];
        String variable = variables.of(jumps.at(read), frames[read]);
        Publication found = variable == null ? null : publications.find(at, start, variable);
        if (found == null) {
            return null;
        }
        BitSet all = (BitSet) region.clone();
        all.or(found.between);
        for (int sets : found.sets) {
            if (!endsWell(sets, code.compareAndSet(jumps, variables, sets), passed, start, all, variable)) {
                return null;
            }
        }
        return !found.comesBack || isUnused(start, passed, true, all) ? found : null;
    }

    /** Returns how many operands a call takes from the stack. */
    private int operands(int at) {
        MethodInsnNode call = (MethodInsnNode) code.place(jumps.at(at));
        return Type.getArgumentTypes(call.desc).length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
    }

    /**
     * For a {@code compareAndSet}, or a call at {@code from} that does nothing else, with nothing else on the stack. If it succeeds, it has found the
     * value that it expected, which is as good as a read, and what other reads have decided must be so for that value. If it fails, the method must
     * no longer know what was read, and must have no effect before it looks again or returns.
     */
    private boolean endsWell(int from, int at, long passed, int start, BitSet region, String variable) {
        if (frames[from].getStackSize() != operands(from)) {
            return false;
        }
        long known = passed & frames[at].getStack(frames[at].getStackSize() - 2).unchanged;
        if (!expectations.decide(from, at, operands(at), passed & ~known, start, region)) {
            return false;
        }
        Outcome outcome = Outcome.of(jumps, code, at);
        if (!outcome.isTested) {
            // What follows does not depend on whether it has failed.
            return isUnused(outcome.failed, passed, true, region) && hasNoEffectFrom(outcome.failed, start, variable);
        }
        return isUnused(outcome.succeeded, passed & ~known, known != passed, region) && isUnused(outcome.failed, passed, true, region)
            && hasNoEffectFrom(outcome.failed, start, variable);
    }

    /**
     * Whether no local that is needed from here on follows from one of these reads; and, if the reads may have decided what was set, none was set in
     * the attempt, unless its value is the same anyway.
     */
    private boolean isUnused(int at, long passed, boolean canDecide, BitSet region) {
        if (at == jumps.size() || frames[at] == null) {
            return false;
        }
        BitSet needed = live.before(at);
        for (int local = needed.nextSetBit(0); local >= 0; local = needed.nextSetBit(local + 1)) {
            SharedValue value = frames[at].getLocal(local);
            if ((value.from & passed) != 0 || canDecide && isSet(local, region) && !Variables.isStable(value.name)) {
                return false;
            }
        }
        return true;
    }

    private boolean isSet(int local, BitSet region) {
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            if (Purity.setsLocal(jumps.at(i), local)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the method has no effect from here on until it is at the start of the attempt, reads this variable again, or returns. */
    private boolean hasNoEffectFrom(int from, int start, String variable) {
        return jumps.walk(from, i -> {
            AbstractInsnNode insn = jumps.at(i);
            int op = insn.getOpcode();
            if (i == start || op >= Opcodes.IRETURN && op <= Opcodes.RETURN || values.number(insn) >= 0 && variable.equals(variables.of(insn, frames[i]))) {
                return Step.END;
            }
            boolean isSetting = insn instanceof VarInsnNode || op == Opcodes.IINC;
            boolean isCall = insn instanceof MethodInsnNode && (Purity.isFree((MethodInsnNode) insn) || Purity.isPause((MethodInsnNode) insn) || variables.isRead(insn));
            boolean hasNone = Purity.isComputation(op) || isSetting || Purity.isFieldRead(insn) || isCall || op == Opcodes.LDC;
            return hasNone ? Step.ON : Step.STOP;
        });
    }
}
