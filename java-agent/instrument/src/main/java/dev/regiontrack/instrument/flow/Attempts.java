package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Attempt.Exit;
import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds the reads of a method whose value can turn out to have no consequence ({@code analysis-core/src/filter/attempts.rs} is the specification, and says
 * why it is right to leave them out). Three shapes:
 *
 * <ul>
 * <li>a loop goes round again, and has done nothing but read: it waits by spinning, or looks before it tries;
 * <li>what was read is what a {@code compareAndSet} of the same variable expects, which looks itself;
 * <li>after a first look, a lock is taken, and the method looks again.
 * </ul>
 *
 * <p>An attempt starts where nothing is on the stack, and extends over all instructions from there that only read, compute, and set locals whose value from
 * before the attempt nobody needs. So it can be executed again. What is not known to have no effect, or can throw after a read, ends it.
 * After Flanagan, Freund, Qadeer, "Exploiting purity for atomicity", 2005, whose pure blocks are found here without a proof system: by data flow.
 */
public final class Attempts {
    /** As many as there are bits. In a method with more, all reads are events. */
    private static final int MAX_READS = 64;
    private static final int MAX_SIZE = 100;

    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;
    private final List<AbstractInsnNode> reads;
    /** The numbers of the instructions that are reads. */
    private final int[] places;
    private final LocalTypes types;

    private Attempts(Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames, List<AbstractInsnNode> reads, LocalTypes types) {
        this.types = types;
        this.jumps = jumps;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
        this.reads = reads;
        this.live = live;
        places = IntStream.range(0, jumps.size()).filter(i -> values.number(jumps.at(i)) >= 0).toArray();
    }

    /** Those of a method, none of which starts in another one; must be called before it is changed. {@code accesses} are its accesses that get hooks, of those of the class. */
    public static List<Attempt> of(ClassNode type, MethodNode method, Set<AbstractInsnNode> accesses, Accesses all) {
        if (method.name.startsWith("<")) {
            return List.of();
        }
        Variables variables = all.variables();
        List<AbstractInsnNode> reads = new ArrayList<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (Purity.isFieldRead(insn) && accesses.contains(insn) || variables.isRead(insn)) {
                reads.add(insn);
            }
        }
        boolean isFollowed = !reads.isEmpty() && reads.size() <= MAX_READS;
        Jumps jumps = isFollowed && Purity.canHaveAttempts(method, variables, reads) ? new Jumps(method) : null;
        Liveness live = jumps == null || !jumps.areKnown ? null : new Liveness(jumps);
        if (live == null || !Purity.canHaveAttempts(method, variables, reads, jumps, live)) {
            return List.of();
        }
        SharedValues values = new SharedValues(all::isConstant, once(jumps), reads);
        try {
            Frame<SharedValue>[] frames = new Analyzer<>(values).analyze(type.name, method);
            return new Attempts(jumps, live, variables, values, frames, reads, new LocalTypes(type.name, method)).find();
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it: every read keeps its hook.
            return List.of();
        }
    }

    /** The instructions that are certainly in no loop: no jump leads from behind one to before it. */
    static Map<AbstractInsnNode, String> once(Jumps jumps) {
        int[] leaps = new int[jumps.size() + 1];
        for (int i = 0; i < jumps.size(); i++) {
            for (int[] all : new int[][] {jumps.next(i), jumps.handlers(i)}) {
                for (int next : all) {
                    if (next <= i) {
                        leaps[next]++;
                        leaps[i + 1]--;
                    }
                }
            }
        }
        Map<AbstractInsnNode, String> result = new HashMap<>();
        int over = 0;
        for (int i = 0; i < jumps.size(); i++) {
            over += leaps[i];
            if (over == 0 && (jumps.at(i) instanceof MethodInsnNode || jumps.at(i) instanceof FieldInsnNode)) {
                result.put(jumps.at(i), "i" + i);
            }
        }
        return result;
    }

    private List<Attempt> find() {
        List<Attempt> result = new ArrayList<>();
        for (int i = 0; i < jumps.size(); i++) {
            for (int next : jumps.next(i)) {
                if (next <= i) {
                    add(jumps.real(next), Exit.AGAIN, result);
                }
            }
        }
        for (int place : places) {
            add(statement(place), Exit.ON, result);
        }
        return result;
    }

    /** Adds the attempt that starts here, if it has such an exit, and does not start in another one. */
    private void add(int start, Exit needed, List<Attempt> to) {
        boolean canStart = start >= 0 && start < jumps.size() && frames[start] != null && frames[start].getStackSize() == 0;
        Attempt found = canStart && to.stream().noneMatch(other -> other.contains(start)) ? attempt(start, needed) : null;
        if (found != null) {
            to.add(found);
        }
    }

    /** Where the statement begins to which a read belongs: the last place before it with an empty stack; -1 if there are jumps in between. */
    private int statement(int read) {
        int i = read;
        while (i >= 0 && (jumps.at(i).getOpcode() < 0 || frames[i] != null && frames[i].getStackSize() > 0)) {
            i--;
            if (i >= 0 && (jumps.next(i).length != 1 || jumps.next(i)[0] != i + 1)) {
                return -1;
            }
        }
        return i >= 0 && frames[i] != null ? i : -1;
    }

    // ---- one attempt

    private Attempt attempt(int start, Exit needed) {
        long[] passed = new long[jumps.size()];
        BitSet region = new BitSet();
        if (!extend(start, region, passed) || region.cardinality() > MAX_SIZE) {
            return null;
        }
        Attempt result = new Attempt(jumps, variables, types, start, region);
        boolean isUseful = false;
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            long here = passed[i] | bit(i);
            for (int next : jumps.next(i)) {
                int to = jumps.real(next);
                if (to == jumps.size()) {
                    return null;
                }
                if (to == start) {
                    isUseful |= here != 0 && needed == Exit.AGAIN;
                } else if (!region.get(to)) {
                    Exit exit = passed[to] == 0 || looksItself(to, passed[to], start, region) ? Exit.ON : Exit.USED;
                    if (exit == Exit.USED && next != i + 1 && frames[to].getStackSize() > 0) {
                        return null;
                    }
                    result.exit(to, exit, sizes(frames[to]));
                    isUseful |= exit == Exit.ON && passed[to] != 0 && needed == Exit.ON;
                }
            }
        }
        return isUseful ? result : null;
    }

    private static int[] sizes(Frame<SharedValue> frame) {
        int[] result = new int[frame.getStackSize()];
        for (int i = 0; i < result.length; i++) {
            result[i] = frame.getStack(result.length - 1 - i).getSize();
        }
        return result;
    }

    private long bit(int i) {
        int read = values.number(jumps.at(i));
        return read < 0 ? 0 : 1L << read;
    }

    /**
     * The region: all that can follow without an effect. {@code passed} gets, for each instruction in it and right behind it, the reads that can have been
     * executed since the start. False if the code there is of a kind that is not understood.
     */
    private boolean extend(int start, BitSet region, long[] passed) {
        Deque<Integer> todo = new ArrayDeque<>(List.of(start));
        BitSet seen = new BitSet();
        seen.set(start);
        while (!todo.isEmpty()) {
            int i = todo.pop();
            if (frames[i] == null) {
                return false;
            }
            boolean isInside = hasNoEffect(i, passed[i], start);
            region.set(i, isInside);
            if (!isInside) {
                continue;
            }
            for (int next : jumps.next(i)) {
                int to = jumps.real(next);
                if (to == jumps.size()) {
                    return false;
                }
                long more = passed[i] | bit(i);
                if (to != start && (!seen.get(to) || (more & ~passed[to]) != 0)) {
                    passed[to] |= more;
                    seen.set(to);
                    todo.push(to);
                }
            }
        }
        return keepReached(start, region);
    }

    /** Takes out what was only reached through instructions that are outside, now that all reads before them are known. */
    private boolean keepReached(int start, BitSet region) {
        BitSet reached = new BitSet();
        jumps.walk(start, i -> {
            reached.set(i, region.get(i));
            return region.get(i) ? Step.ON : Step.END;
        });
        region.and(reached);
        return region.get(start);
    }

    /** True if the instruction can be executed again, cannot throw after a read, and leaves what the verifier knows of locals at the start as it is. */
    private boolean hasNoEffect(int i, long passed, int start) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (!types.areKept(jumps.at(start), insn)) {
            return false;
        }
        if (Purity.isStore(insn)) {
            return !live.before(start).get(((VarInsnNode) insn).var) && types.areKeptBy(jumps.at(start), (VarInsnNode) insn);
        }
        if (insn instanceof MethodInsnNode) {
            return Purity.isFree((MethodInsnNode) insn) || variables.isRead(insn) && (passed == 0 || variables.cannotThrow(insn, frames[i]));
        }
        if (Purity.isFieldRead(insn)) {
            return passed == 0 || variables.cannotThrow(insn, frames[i]);
        }
        if (op == Opcodes.LDC) {
            return passed == 0 || !(((LdcInsnNode) insn).cst instanceof org.objectweb.asm.Type);
        }
        return Purity.isComputation(op);
    }

    // ---- what follows a read

    /** True if what was read has no consequence behind this instruction, because that looks at the same, or the method does right after it. */
    private boolean looksItself(int at, long passed, int start, BitSet region) {
        AbstractInsnNode insn = jumps.at(at);
        String variable = variables.of(insn, frames[at]);
        if (variable != null && variables.isCompareAndSet(insn)) {
            return areOf(passed, variable) && endsWell(at, passed, start, region, variable);
        }
        if (insn.getOpcode() == Opcodes.MONITORENTER || Variables.isLock(insn)) {
            return frames[at].getStackSize() == 1 && isUnused(jumps.real(at + 1), passed, true, region) && looksAgain(at, passed);
        }
        return false;
    }

    /** True if all these reads are of this variable. */
    private boolean areOf(long passed, String variable) {
        for (int read = 0; read < reads.size(); read++) {
            if ((passed >> read & 1) != 0) {
                AbstractInsnNode insn = reads.get(read);
                if (!variable.equals(variables.of(insn, frames[places[read]]))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Of a {@code compareAndSet}: if it succeeds, the value that it expected is what it has found, so it is as good as if it had read it; if it fails, the
     * method must not know any more what was read, and must have no effect before it looks again or returns.
     */
    private boolean endsWell(int at, long passed, int start, BitSet region, String variable) {
        MethodInsnNode call = (MethodInsnNode) jumps.at(at);
        int operands = org.objectweb.asm.Type.getArgumentTypes(call.desc).length + 1;
        if (frames[at].getStackSize() != operands) {
            return false;
        }
        long known = passed & frames[at].getStack(operands - 2).unchanged;
        int test = jumps.real(at + 1);
        int op = jumps.at(test).getOpcode();
        if (op != Opcodes.IFEQ && op != Opcodes.IFNE) {
            return isUnused(test, passed, true, region);
        }
        int jumped = jumps.real(jumps.next(test)[0]);
        int next = jumps.real(test + 1);
        int failed = op == Opcodes.IFEQ ? jumped : next;
        int succeeded = op == Opcodes.IFEQ ? next : jumped;
        return isUnused(succeeded, passed & ~known, known != passed, region) && isUnused(failed, passed, true, region)
            && hasNoEffectFrom(failed, start, variable);
    }

    /**
     * True if no local that is needed from here on follows from one of these reads; and, where the reads can have decided what was set, none was set in the attempt,
     * unless its value is the same anyway.
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
        return region.stream().mapToObj(jumps::at).anyMatch(insn -> Purity.isStore(insn) && ((VarInsnNode) insn).var == local);
    }

    /** True if the method has no effect from here on until it is at the start of the attempt, reads this variable again, or returns. */
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

    /** True if the next that the method does after it has taken a lock is, on every path, to read the variable of all these reads again. */
    private boolean looksAgain(int at, long passed) {
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
}
