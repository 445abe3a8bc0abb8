package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * A look before a lock that is repeated under the lock: {@code if (made == null) synchronized (this) { if (made == null) .. }}. The first look has no
 * consequence if the method does, whatever the second one finds, what it would have done if the first one had found that.
 */
final class SecondLooks {
    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;
    /** The numbers of the instructions that are reads, in the order of their bits. */
    private final int[] places;

    SecondLooks(Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames, int[] places) {
        this.jumps = jumps;
        this.live = live;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
        this.places = places;
    }

    /** Whether all these reads are of this variable. */
    boolean areOf(long reads, String variable) {
        for (int read = 0; read < places.length; read++) {
            if ((reads >> read & 1) != 0 && !variable.equals(variables.of(jumps.at(places[read]), frames[places[read]]))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the method's first action after taking the lock at {@code at} is, on every path, to read the variable of all these reads again. */
    boolean areMade(int at, long passed) {
        return jumps.walk(at + 1, i -> {
            AbstractInsnNode insn = jumps.at(i);
            if (frames[i] != null && values.number(insn) >= 0) {
                String variable = variables.of(insn, frames[i]);
                return variable != null && areOf(passed, variable) ? Step.END : Step.STOP;
            }
            boolean isConstant = Purity.isFieldRead(insn) && frames[i] != null && variables.cannotThrow(insn, frames[i]);
            return frames[i] != null && (Purity.isComputation(insn.getOpcode()) || isConstant || insn instanceof VarInsnNode) ? Step.ON : Step.STOP;
        });
    }

    /**
     * Whether only the second look decides what the method does, for the reads in the {@code region} from {@code start} to the lock at {@code at}. Not so
     * if there is something that the method does, returns or remembers only with the lock, either whatever the second look finds, or if that finds what
     * would have led the first look past the lock.
     */
    boolean decide(int at, long passed, int start, BitSet region) {
        Ways ways = new Ways(at, passed, start, region);
        try {
            return !ways.canPass || !ways.differ();
        } catch (AnalyzerException e) {
            // As with the whole method: the verifier will reject the code, or does not check it.
            return false;
        }
    }

    /** The code that a method executes with the lock, and without. */
    private final class Ways {
        private final int at;
        private final long passed;
        private final int start;
        private final BitSet region;
        private final String variable;
        /** What can follow without the lock, before the first look is repeated; with the region. */
        private final BitSet without = new BitSet();
        /** Whether anything can. */
        private final boolean canPass;
        /** What can follow once the lock is taken, up to the first instructions that can follow without the lock, too. */
        private final BitSet with = new BitSet();
        /** The comparison of what the first look has found that leads either to the lock or past it; null if that is unknown. */
        private Comparison first;
        /** The orders that lead past the lock. */
        private int passing;

        Ways(int at, long passed, int start, BitSet region) {
            this.at = at;
            this.passed = passed;
            this.start = start;
            this.region = region;
            int read = places[Long.numberOfTrailingZeros(passed)];
            variable = variables.of(jumps.at(read), frames[read]);
            without.or(region);
            boolean passes = false;
            for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
                for (int next : jumps.next(i)) {
                    if (jumps.real(next) != at && !region.get(jumps.real(next))) {
                        jumps.walk(next, without, k -> k == at ? Step.END : Step.ON);
                        passes = true;
                    }
                }
            }
            without.clear(at);
            canPass = passes;
            jumps.walk(at + 1, with, i -> isCommon(i) ? Step.END : Step.ON);
            findFirst();
        }

        /** Whether the two ways are one from here on. */
        private boolean isCommon(int i) {
            return without.get(i);
        }

        private void findFirst() {
            int jump = -1;
            for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
                if (jumps.next(i).length > 1 && Expectations.follows(jumps.at(i), frames[i], passed)) {
                    if (jump >= 0) {
                        return;
                    }
                    jump = i;
                }
            }
            Comparison found = jump < 0 ? null : Comparison.of(jumps, frames, jump, reads -> (reads & ~passed) == 0);
            if (found != null) {
                boolean locksIfTaken = locks(jumps.next(jump)[0]);
                if (locksIfTaken != locks(jumps.next(jump)[1])) {
                    first = found;
                    passing = found.orders(!locksIfTaken);
                }
            }
        }

        /** Whether the method can come to the lock from here before it looks for the first time again. */
        private boolean locks(int from) {
            return !jumps.walk(from, i -> i == at ? Step.STOP : i == start ? Step.END : Step.ON);
        }

        boolean differ() throws AnalyzerException {
            Map<Integer, Frame<SharedValue>> alone = follow(start, frames[start], this::isCommon, false);
            BitSet needed = new BitSet();
            for (int i = with.nextSetBit(0); i >= 0; i = with.nextSetBit(i + 1)) {
                if (isCommon(i)) {
                    needed.or(live.before(i));
                } else if (!isAvoided(i) && (isEffect(i) || isEnd(i) && !isEndOf(alone, i, frames[i]))) {
                    return true;
                }
            }
            for (int i = with.nextSetBit(0); i >= 0; i = with.nextSetBit(i + 1)) {
                if (!isCommon(i) && setsNeeded(i, needed) && !isAvoided(i) && !isSetElse(i)) {
                    return true;
                }
            }
            return first != null && differIfPassing(alone);
        }

        /** Whether the method does, returns or remembers something else if the second look finds what would have led the first one past the lock. */
        private boolean differIfPassing(Map<Integer, Frame<SharedValue>> alone) throws AnalyzerException {
            Frame<SharedValue> locked = new Frame<>(frames[at]);
            locked.execute(jumps.at(at), values);
            Map<Integer, Frame<SharedValue>> passed = follow(jumps.real(at + 1), locked, i -> !isCommon(i), true);
            BitSet own = new BitSet();
            for (int i : passed.keySet()) {
                own.set(i, !isCommon(i));
            }
            for (Map.Entry<Integer, Frame<SharedValue>> entry : passed.entrySet()) {
                int i = entry.getKey();
                boolean isOther = isCommon(i) ? !isSame(i, entry.getValue(), alone.get(i), own)
                    : isEffect(i) && without.stream().noneMatch(k -> isAlike(i, k)) || isEnd(i) && !isEndOf(alone, i, entry.getValue());
                if (isOther) {
                    return true;
                }
            }
            return false;
        }

        /** Returns what is known before each instruction that can follow, as far as it is {@code inside}, and the first ones behind. */
        private Map<Integer, Frame<SharedValue>> follow(int from, Frame<SharedValue> known, IntPredicate inside, boolean onlyPassing) throws AnalyzerException {
            Map<Integer, Frame<SharedValue>> result = new HashMap<>();
            result.put(from, new Frame<>(known));
            Deque<Integer> todo = new ArrayDeque<>(List.of(from));
            while (!todo.isEmpty()) {
                int i = todo.pop();
                if (i != from && !inside.test(i) || isEnd(i)) {
                    continue;
                }
                Frame<SharedValue> after = new Frame<>(result.get(i));
                after.execute(jumps.at(i), values);
                int[] next = jumps.next(i);
                Comparison comparison = onlyPassing && next.length == 2 ? Comparison.of(jumps, frames, i, reads -> areOf(reads, variable)) : null;
                for (int k = 0; k < next.length; k++) {
                    boolean canPass = comparison == null || !comparison.isLike(first) || (comparison.orders(k == 0) & passing) != 0;
                    int to = jumps.real(next[k]);
                    if (canPass && to < jumps.size() && to != at && to != from && (result.putIfAbsent(to, after) == null || result.get(to) != after && merge(result, to, after))) {
                        todo.push(to);
                    }
                }
            }
            return result;
        }

        private boolean merge(Map<Integer, Frame<SharedValue>> known, int to, Frame<SharedValue> after) throws AnalyzerException {
            Frame<SharedValue> merged = new Frame<>(known.get(to));
            boolean isChanged = merged.merge(after, values);
            known.put(to, merged);
            return isChanged;
        }

        /** Whether the locals that are needed from here on, and the stack, have the same values on both ways; {@code own} is the code with the lock. */
        private boolean isSame(int i, Frame<SharedValue> one, Frame<SharedValue> other, BitSet own) {
            if (other == null) {
                return false;
            }
            BitSet needed = live.before(i);
            for (int local = needed.nextSetBit(0); local >= 0; local = needed.nextSetBit(local + 1)) {
                boolean isSet = isSet(local, own, false);
                boolean isSetElse = isSet(local, without, false);
                boolean canBeUnknown = isSet && isSetElse && !isSet(local, own, true);
                if ((isSet || isSetElse) && !isLike(one.getLocal(local), other.getLocal(local), canBeUnknown)) {
                    return false;
                }
            }
            for (int k = 0; k < one.getStackSize(); k++) {
                if (!isLike(one.getStack(k), other.getStack(k), true)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether this code sets a local, or increments it. */
        private boolean isSet(int local, BitSet code, boolean isIncremented) {
            return code.stream().anyMatch(i -> Purity.setsLocal(jumps.at(i), local) && !(isIncremented && Purity.isStore(jumps.at(i))));
        }

        /** Whether two values are the same, or, if they {@code canBeUnknown}, may be: of both nothing is known. */
        private boolean isLike(SharedValue one, SharedValue other, boolean canBeUnknown) {
            if (isFound(one) || isFound(other)) {
                return isFound(one) && isFound(other);
            }
            boolean isSame = one.name != null && one.name.equals(other.name);
            return isSame || canBeUnknown && !isKnown(one) && !isKnown(other);
        }

        /** Whether a value is more than the result of an instruction. */
        private boolean isKnown(SharedValue value) {
            return value.name != null && !SharedValues.isResult(value.name);
        }

        /** Whether a value is what a look at the variable has found. */
        private boolean isFound(SharedValue value) {
            return Comparison.isOne(value, reads -> areOf(reads, variable));
        }

        // ---- single instructions

        private boolean isEffect(int i) {
            boolean isRead = values.number(jumps.at(i)) >= 0 && variable.equals(variables.of(jumps.at(i), frames[i]));
            return Purity.isEffect(jumps.at(i), variables) && !isRead;
        }

        private boolean isEnd(int i) {
            return Callees.isReturn(jumps.at(i)) || jumps.at(i).getOpcode() == Opcodes.ATHROW;
        }

        /** Whether the method can end, or go on as without the lock, without executing this instruction. */
        private boolean isAvoided(int insn) {
            boolean[] isAvoided = new boolean[1];
            jumps.walk(at + 1, i -> {
                boolean isOther = i != insn && (isCommon(i) || isEnd(i));
                isAvoided[0] |= isOther;
                return i == insn || isOther ? Step.END : Step.ON;
            });
            return isAvoided[0];
        }

        /** Whether the method can end in the same way on these paths as at this instruction. */
        private boolean isEndOf(Map<Integer, Frame<SharedValue>> paths, int end, Frame<SharedValue> frame) {
            int op = jumps.at(end).getOpcode();
            for (Map.Entry<Integer, Frame<SharedValue>> entry : paths.entrySet()) {
                boolean isSame = jumps.at(entry.getKey()).getOpcode() == op;
                if (isSame && (op == Opcodes.RETURN || op == Opcodes.ATHROW || isLike(top(frame), top(entry.getValue()), true))) {
                    return true;
                }
            }
            return false;
        }

        /** Whether two instructions have the same effect, judged by what they write or call. */
        private boolean isAlike(int i, int k) {
            AbstractInsnNode one = jumps.at(i);
            AbstractInsnNode other = jumps.at(k);
            if (one.getOpcode() != other.getOpcode()) {
                return false;
            }
            if (one instanceof FieldInsnNode) {
                return ((FieldInsnNode) one).owner.equals(((FieldInsnNode) other).owner) && ((FieldInsnNode) one).name.equals(((FieldInsnNode) other).name);
            }
            if (one instanceof MethodInsnNode) {
                MethodInsnNode call = (MethodInsnNode) other;
                return ((MethodInsnNode) one).owner.equals(call.owner) && ((MethodInsnNode) one).name.equals(call.name) && ((MethodInsnNode) one).desc.equals(call.desc);
            }
            return true;
        }

        private boolean setsNeeded(int i, BitSet needed) {
            return needed.stream().anyMatch(local -> Purity.setsLocal(jumps.at(i), local));
        }

        /** Whether a local can get the same value without the lock as at this instruction, or has it before the lock. */
        private boolean isSetElse(int i) {
            if (!Purity.isStore(jumps.at(i))) {
                return isSet(((IincInsnNode) jumps.at(i)).var, without, true);
            }
            int local = ((VarInsnNode) jumps.at(i)).var;
            SharedValue value = top(frames[i]);
            boolean isKnown = isFound(value) || isLike(value, frames[at].getLocal(local), isSet(local, region, false));
            return isKnown || without.stream().anyMatch(k -> Purity.isStore(jumps.at(k)) && Purity.setsLocal(jumps.at(k), local) && isLike(value, top(frames[k]), true));
        }

        private SharedValue top(Frame<SharedValue> frame) {
            return frame.getStack(frame.getStackSize() - 1);
        }
    }
}
