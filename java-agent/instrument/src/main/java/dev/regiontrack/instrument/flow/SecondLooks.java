package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Walk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
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
        Walk walk = jumps.walk(at + 1);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            AbstractInsnNode insn = jumps.at(i);
            if (frames[i] != null && values.number(insn) >= 0) {
                String variable = variables.of(insn, frames[i]);
                if (variable == null || !areOf(passed, variable)) {
                    return false;
                }
                continue;
            }
            boolean isConstant = Purity.isFieldRead(insn) && frames[i] != null && variables.cannotThrow(insn, frames[i]);
            boolean isKey = insn instanceof LdcInsnNode && (((LdcInsnNode) insn).cst instanceof String || ((LdcInsnNode) insn).cst instanceof Number);
            if (frames[i] == null || !Purity.isComputation(insn.getOpcode()) && !isConstant && !isKey && !(insn instanceof VarInsnNode)) {
                return false;
            }
            walk.goOn();
        }
        return !walk.hasLeft();
    }

    /**
     * Whether only the second look decides what the method does, for the reads in the {@code region} from {@code start} to the lock at {@code at}: for
     * each value that would have led the first look past the lock, the method does, returns and remembers the same if the second look finds it. Not so
     * if it is unknown which values these are.
     */
    boolean decide(int at, long passed, int start, BitSet region) {
        try {
            return new Ways(at, passed, start, region).areAlike();
        } catch (AnalyzerException e) {
            // As with the whole method: the verifier will reject the code, or does not check it.
            return false;
        }
    }

    /** The paths of a method with the lock, and without; the test for what a look at the variable has found. */
    private final class Ways implements Predicate<SharedValue> {
        private final int at;
        private final int start;
        private final BitSet region;
        private final long passed;
        private final String variable;
        private final boolean isBoolean;

        Ways(int at, long passed, int start, BitSet region) {
            this.at = at;
            this.start = start;
            this.region = region;
            this.passed = passed;
            int read = places[Long.numberOfTrailingZeros(passed)];
            variable = variables.of(jumps.at(read), frames[read]);
            AbstractInsnNode insn = jumps.at(read);
            isBoolean = insn instanceof FieldInsnNode ? ((FieldInsnNode) insn).desc.equals("Z") : ((MethodInsnNode) insn).desc.endsWith(")Z");
        }

        boolean areAlike() throws AnalyzerException {
            List<Map<String, Integer>> cases = cases();
            if (cases == null) {
                return false;
            }
            List<Map<String, Integer>> locking = new ArrayList<>();
            List<Map<String, Integer>> passing = new ArrayList<>();
            for (Map<String, Integer> found : cases) {
                Set<Integer> reached = follow(start, frames[start], found).keySet();
                if (reached.contains(at)) {
                    locking.add(found);
                }
                // Or the first look goes round and round until another value comes.
                if (!reached.contains(at) || leave(reached)) {
                    passing.add(found);
                }
            }
            for (Map<String, Integer> found : passing) {
                // Another value has led to the lock, or several that were found one after the other.
                boolean canBeSecond = locking.size() > (locking.contains(found) ? 1 : 0) || Long.bitCount(passed) > 1;
                if (canBeSecond && !areAlike(found)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether any of these is outside the region, and not the lock. */
        private boolean leave(Set<Integer> reached) {
            for (int i : reached) {
                if (i != at && !region.get(i)) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the values that the method distinguishes; null if they, or what the first look decides, are unknown. */
        private List<Map<String, Integer>> cases() {
            Cases cases = new Cases();
            for (int i = 0; i < jumps.size(); i++) {
                if (frames[i] == null || jumps.next(i).length < 2) {
                    continue;
                }
                Comparison comparison = Comparison.of(jumps.at(i), frames[i], i == 0 ? null : frames[i - 1], this);
                List<Integer> keys = test(top(frames[i])) ? keys(jumps.at(i)) : null;
                if (comparison != null) {
                    cases.add(comparison);
                } else if (keys != null) {
                    for (int key : keys) {
                        cases.add(SharedValues.name(key));
                    }
                } else if (region.get(i) && Expectations.follows(jumps.at(i), frames[i], passed)) {
                    return null;
                }
            }
            return cases.list(isBoolean);
        }

        /** Whether the method does the same with the lock and without, if the variable has this value. */
        private boolean areAlike(Map<String, Integer> found) throws AnalyzerException {
            Frame<SharedValue> locked = new Frame<>(frames[at]);
            locked.execute(jumps.at(at), values);
            Lockstep.Leads leads = (jump, k, frame, earlier) -> canLead(jump, k, frame, earlier, found);
            return new Lockstep(jumps, live, variables, values, this, leads, region).areAlike(start, frames[start], jumps.real(at + 1), locked);
        }

        /** Returns what is known before each instruction of the region that can follow, and the first ones behind. */
        private Map<Integer, Frame<SharedValue>> follow(int from, Frame<SharedValue> known, Map<String, Integer> found) throws AnalyzerException {
            Map<Integer, Frame<SharedValue>> result = new HashMap<>();
            result.put(from, new Frame<>(known));
            Deque<Integer> todo = new ArrayDeque<>(List.of(from));
            while (!todo.isEmpty()) {
                int i = todo.pop();
                if (i != from && !region.get(i) || Lockstep.isEnd(jumps.at(i))) {
                    continue;
                }
                Frame<SharedValue> before = result.get(i);
                Frame<SharedValue> after = new Frame<>(before);
                after.execute(jumps.at(i), values);
                int[] next = jumps.next(i);
                for (int k = 0; k < next.length; k++) {
                    int to = jumps.real(next[k]);
                    boolean leads = next.length == 1 || canLead(i, k, before, result.get(i - 1), found);
                    if (leads && to < jumps.size() && to != from && (result.putIfAbsent(to, after) == null || merge(result, to, after))) {
                        todo.push(to);
                    }
                }
            }
            return result;
        }

        /** Whether a jump can go on at its k-th target, if the variable has this value. */
        private boolean canLead(int jump, int k, Frame<SharedValue> frame, Frame<SharedValue> earlier, Map<String, Integer> found) {
            AbstractInsnNode insn = jumps.at(jump);
            List<Integer> keys = keys(insn);
            if (keys != null) {
                boolean isDefault = k == keys.size();
                boolean isKey = test(top(frame)) && (isDefault ? keys.stream().anyMatch(key -> isEqual(key, found)) : !isEqual(keys.get(k), found));
                return !isKey;
            }
            Comparison comparison = Comparison.of(insn, frame, earlier, this);
            if (comparison != null) {
                return !found.containsKey(comparison.with) || comparison.leads(k == 0, found.get(comparison.with));
            }
            // What a method returns that was called for the comparison.
            SharedValue result = top(frame);
            Long number = result.name == null ? null : SharedValues.number(result.name);
            Comparison ofNumber = number == null ? null : Comparison.of(insn, frame, null, value -> value == result);
            boolean isWithZero = ofNumber != null && ofNumber.with.equals(SharedValues.ZERO) && insn.getOpcode() <= Opcodes.IFLE;
            return !isWithZero || ofNumber.leads(k == 0, Comparison.order(number, 0));
        }

        private boolean isEqual(int key, Map<String, Integer> found) {
            return found.getOrDefault(SharedValues.name(key), 0) == Comparison.EQUAL;
        }

        /** Returns the keys of a switch, in the order of its targets; null if it is something else. */
        private List<Integer> keys(AbstractInsnNode insn) {
            if (insn instanceof LookupSwitchInsnNode) {
                return ((LookupSwitchInsnNode) insn).keys;
            }
            return insn instanceof TableSwitchInsnNode
                ? IntStream.rangeClosed(((TableSwitchInsnNode) insn).min, ((TableSwitchInsnNode) insn).max).boxed().collect(Collectors.toList()) : null;
        }

        private boolean merge(Map<Integer, Frame<SharedValue>> known, int to, Frame<SharedValue> after) throws AnalyzerException {
            Frame<SharedValue> merged = new Frame<>(known.get(to));
            boolean isChanged = merged.merge(after, values);
            known.put(to, merged);
            return isChanged;
        }

        /** Whether a value is what a look at the variable has found. */
        @Override
        public boolean test(SharedValue value) {
            return value.isRead() && areOf(value.unchanged, variable);
        }

        private SharedValue top(Frame<SharedValue> frame) {
            return frame.getStack(frame.getStackSize() - 1);
        }
    }
}
