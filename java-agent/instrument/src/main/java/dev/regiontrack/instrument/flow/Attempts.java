package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Attempt.Exit;
import dev.regiontrack.instrument.flow.Jumps.Walk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds the reads of a method whose value may turn out to have no consequence ({@code analysis-core/src/filter/attempts.rs} is the specification, and says
 * why it is right to leave them out). Four shapes:
 *
 * <ul>
 * <li>a loop goes round again, and has done nothing but read: it waits by spinning, or looks before it tries;
 * <li>the value that was read is the one that a {@code compareAndSet} of the same variable expects, which itself looks;
 * <li>after a first look, a lock is taken, and the method looks again;
 * <li>a key was not in a map, and a call follows that looks again and puts it in ({@link MapLooks}).
 * </ul>
 *
 * <p>An attempt starts where nothing is on the stack, and extends over all instructions from there that only read, compute, and set locals whose earlier
 * value is not needed. So it can be executed again. An instruction that may have an effect, or can throw after a read, ends it.
 * After Flanagan, Freund, Qadeer, "Exploiting purity for atomicity", 2005, whose pure blocks are found here without a proof system: by data flow.
 */
public final class Attempts {
    /** One for each bit of a long. In a method with more reads, all reads are events. */
    private static final int MAX_READS = 64;
    private static final int MAX_SIZE = 100;

    /** The class of the method. */
    private final String owner;
    private final Expanded code;
    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;
    private final List<AbstractInsnNode> reads;
    /** The numbers of the instructions that are reads. */
    private final int[] places;
    private final LocalTypes types;
    private final Consequences consequences;
    /** A bit for each read that is a lookup in a map. */
    private final long looks;
    /** A bit for each read that is a call of a method that may do nothing but read. */
    private final long asks;
    /** Those of these calls that must not even read, in the current attempt. */
    private long computing;
    /** Whether the current attempt is to lead back to its start. */
    private boolean comesRound;
    /** The calls without a result that end the current attempt. */
    private final BitSet left = new BitSet();

    private Attempts(String owner, Expanded code, Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames, List<AbstractInsnNode> reads, LocalTypes types) {
        this.owner = owner;
        this.code = code;
        this.types = types;
        this.jumps = jumps;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
        this.reads = reads;
        this.live = live;
        places = new int[reads.size()];
        for (int i = 0, read = 0; i < jumps.size(); i++) {
            if (values.number(jumps.at(i)) >= 0) {
                places[read++] = i;
            }
        }
        looks = bits(true);
        asks = bits(false);
        consequences = new Consequences(code, jumps, live, variables, values, frames, places, looks);
    }

    /** Returns a bit for each read of a kind: lookups in a map, or calls of methods that may do nothing but read. */
    private long bits(boolean areLooks) {
        long result = 0;
        for (int place : places) {
            boolean isOne = areLooks ? variables.isLook(jumps.at(place)) : variables.canBeAsked(jumps.at(place));
            result |= isOne ? bit(place) : 0;
        }
        return result;
    }

    /**
     * Finds the attempts of a method, none of which starts in another one; must be called before the method is changed. {@code accesses} are its
     * accesses with hooks, among those of the class; {@code free} is the first local that neither it nor its hooks use. {@code rounds} gets the
     * method's rounds; null if there are to be none.
     */
    public static List<Attempt> of(ClassNode type, MethodNode method, Set<AbstractInsnNode> accesses, Accesses all, int free, List<Round> rounds) {
        if (!all.callees().canHaveAttempts(method)) {
            return List.of();
        }
        Expanded code = Expanded.of(type.name, method, all.callees(), free);
        List<AbstractInsnNode> reads = reads(code, accesses, all, true);
        if (reads.size() > MAX_READS) {
            reads = reads(code, accesses, all, false);
        }
        boolean isFollowed = !reads.isEmpty() && reads.size() <= MAX_READS;
        Jumps jumps = isFollowed ? new Jumps(code.method) : null;
        Liveness live = jumps == null || !jumps.areKnown ? null : Purity.liveIfAttempts(code.method, all.variables(), reads, jumps);
        if (live == null) {
            return List.of();
        }
        SharedValues values = new SharedValues(all, once(jumps), reads);
        try {
            Frame<SharedValue>[] frames = new Analyzer<>(values).analyze(type.name, code.method);
            passChecks(code, jumps, frames);
            Attempts attempts = new Attempts(type.name, code, jumps, live, all.variables(), values, frames, reads, new LocalTypes(type.name, code.method));
            List<Attempt> result = attempts.find();
            if (rounds != null) {
                rounds.addAll(attempts.rounds(result));
            }
            return result;
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it: every read keeps its hook.
            return List.of();
        }
    }

    private static List<AbstractInsnNode> reads(Expanded code, Set<AbstractInsnNode> accesses, Accesses all, boolean asks) {
        List<AbstractInsnNode> result = new ArrayList<>();
        for (AbstractInsnNode insn : code.method.instructions) {
            boolean isAccess = Purity.isFieldRead(insn)
                && (code.isInside(insn) ? all.isFieldAccess((FieldInsnNode) insn) : accesses.contains(code.place(insn)));
            if (isAccess || all.variables().isRead(insn) || all.variables().isLook(insn) || asks && all.variables().canBeAsked(insn)) {
                result.add(insn);
            }
        }
        return result;
    }

    /** Removes the null checks of receivers of expanded calls that are certainly not null. */
    private static void passChecks(Expanded code, Jumps jumps, Frame<SharedValue>[] frames) {
        for (int i = 0; i < jumps.size(); i++) {
            if (frames[i] != null && code.isCheck(jumps.at(i)) && Variables.isThere(frames[i].getStack(frames[i].getStackSize() - 1).name)) {
                jumps.replace(i, code.passCheck(jumps.at(i)));
            }
        }
    }

    /** Returns the instructions that are certainly in no loop: no jump leads from behind one to before it. */
    static Map<AbstractInsnNode, String> once(Jumps jumps) {
        int[] leaps = new int[jumps.size() + 1];
        for (int i = 0; i < jumps.size(); i++) {
            leap(i, jumps.next(i), leaps);
            leap(i, jumps.handlers(i), leaps);
        }
        Map<AbstractInsnNode, String> result = new HashMap<>();
        int over = 0;
        for (int i = 0; i < jumps.size(); i++) {
            over += leaps[i];
            if (over == 0 && (jumps.at(i) instanceof MethodInsnNode || jumps.at(i) instanceof FieldInsnNode)) {
                result.put(jumps.at(i), SharedValues.ONCE + String.valueOf(i));
            }
        }
        return result;
    }

    private static void leap(int from, int[] to, int[] leaps) {
        for (int next : to) {
            if (next <= from) {
                leaps[next]++;
                leaps[from + 1]--;
            }
        }
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
        if (canGoOn()) {
            for (int place : places) {
                add(statement(place), Exit.ON, result);
            }
        }
        return result;
    }

    private List<Round> rounds(List<Attempt> attempts) {
        return new Rounds(owner, code, jumps, live, variables, values, frames, types, consequences, attempts).find();
    }

    /** Whether the method has an instruction before which the reads of an attempt can turn out to have no consequence. Few methods with a loop have. */
    private boolean canGoOn() {
        for (int i = 0; i < jumps.size(); i++) {
            AbstractInsnNode insn = jumps.at(i);
            if (Purity.isAct(insn, variables) || insn instanceof MethodInsnNode && Purity.isPark((MethodInsnNode) insn)) {
                return true;
            }
        }
        return false;
    }

    /** Adds the attempt that starts here, if it has such an exit, and does not start in another one. */
    private void add(int start, Exit needed, List<Attempt> to) {
        boolean canStart = start >= 0 && start < jumps.size() && !code.isInside(jumps.at(start)) && frames[start] != null && frames[start].getStackSize() == 0;
        for (int i = 0; canStart && i < to.size(); i++) {
            canStart = !to.get(i).contains(start);
        }
        Attempt found = canStart ? attempt(start, needed) : null;
        if (found == null && canStart && asks != 0 && needed == Exit.ON) {
            computing = asks;
            found = attempt(start, needed);
            computing = 0;
        }
        if (found != null) {
            to.add(found);
        }
    }

    /** Returns the start of the statement that contains a read: the last place before it with an empty stack; -1 if there are jumps in between. */
    private int statement(int read) {
        int i = call(read);
        while (i >= 0 && (jumps.at(i).getOpcode() < 0 || frames[i] != null && frames[i].getStackSize() > 0)) {
            i--;
            if (i >= 0 && (jumps.next(i).length != 1 || jumps.next(i)[0] != i + 1)) {
                return -1;
            }
        }
        return i >= 0 && frames[i] != null ? i : -1;
    }

    /** Returns the position of the call to which an instruction belongs. */
    private int call(int i) {
        int at = i;
        while (code.isInside(jumps.at(at))) {
            at--;
        }
        return at;
    }

    // ---- one attempt

    private Attempt attempt(int start, Exit needed) {
        comesRound = needed == Exit.AGAIN;
        left.clear();
        long[] passed = new long[jumps.size()];
        BitSet region = new BitSet();
        boolean isExtended = extend(start, region, passed) && region.cardinality() <= MAX_SIZE;
        if (comesRound && leave(start, region, isExtended)) {
            Arrays.fill(passed, 0);
            region.clear();
            isExtended = extend(start, region, passed) && region.cardinality() <= MAX_SIZE;
        }
        if (!isExtended) {
            return null;
        }
        Attempt result = new Attempt(code, jumps, variables, types, start, region, values, computing != 0);
        boolean isUseful = false;
        long rounds = 0;
        boolean readsInEach = true;
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            long here = passed[i] | bit(i);
            if (passed[i] != 0 && canThrow(i)) {
                result.leaveIfThrows(i);
            }
            for (int next : jumps.next(i)) {
                int to = jumps.real(next);
                if (to == jumps.size()) {
                    return null;
                }
                if (to == start) {
                    isUseful |= here != 0 && needed == Exit.AGAIN;
                    rounds |= here;
                    readsInEach &= here != 0;
                } else if (!region.get(to)) {
                    boolean isPause = passed[to] != 0 && !code.isInside(jumps.at(to)) && consequences.isPause(to, start);
                    if (isPause) {
                        result.pause(to);
                        rounds |= here;
                        readsInEach &= here != 0;
                    }
                    boolean isOn = isPause || !code.isInside(jumps.at(to)) && (passed[to] == 0 || consequences.areNone(to, passed[to], start, region));
                    Publication publishes = isOn || code.isInside(jumps.at(to)) ? null : consequences.publication(to, passed[to], start, region);
                    Exit exit = isOn || publishes != null ? Exit.ON : Exit.USED;
                    result.exit(to, exit);
                    if (publishes != null) {
                        result.ask(to, publishes.asked);
                    }
                    isUseful |= exit == Exit.ON && passed[to] != 0 && needed == Exit.ON;
                }
            }
        }
        if (rounds != 0 && readsInEach && isWait(region, rounds)) {
            result.setWait();
        }
        return isUseful ? result : null;
    }

    /** Whether only others change what these rounds read. */
    private boolean isWait(BitSet region, long rounds) {
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            if (Purity.isOfTime(jumps.at(i)) || (bit(i) & rounds) != 0 && canBeWritten(i, region)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the method can also write what it reads here: waiting for a lock of the program's own is not waiting for what another thread does. */
    private boolean canBeWritten(int read, BitSet region) {
        if ((bit(read) & asks) != 0) {
            MethodInsnNode ask = (MethodInsnNode) jumps.at(read);
            // A call without a result decides nothing.
            return !Variables.isVoid(ask) && canBeChanged(ask, region);
        }
        String variable = variables.of(jumps.at(read), frames[read]);
        for (int i = 0; variable != null && i < jumps.size(); i++) {
            if (frames[i] != null && variables.canWrite(jumps.at(i), frames[i], variable)) {
                return true;
            }
        }
        return variable == null;
    }

    /**
     * Whether the method also calls what can change the answer of this call: a method of the same class that returns no more than whether it could. A
     * call without a result in a round only reads, too.
     */
    private boolean canBeChanged(MethodInsnNode ask, BitSet region) {
        for (int i = 0; i < jumps.size(); i++) {
            if (jumps.at(i) instanceof MethodInsnNode) {
                MethodInsnNode call = (MethodInsnNode) jumps.at(i);
                boolean isOther = call.owner.equals(ask.owner) && !(call.name + call.desc).equals(ask.name + ask.desc);
                if (isOther && (call.desc.endsWith(")Z") || Variables.isVoid(call) && !region.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private long bit(int i) {
        int read = values.number(jumps.at(i));
        return read < 0 ? 0 : 1L << read & ~computing;
    }

    /**
     * Finds the region: all that can follow without an effect. {@code passed} gets, for each instruction in it and right behind it, the reads that
     * can have been executed since the start. Returns false if the code there is of an unsupported kind.
     */
    private boolean extend(int start, BitSet region, long[] passed) {
        int[] todo = new int[16];
        int size = 0;
        todo[size++] = start;
        BitSet seen = new BitSet();
        seen.set(start);
        while (size > 0) {
            int i = todo[--size];
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
                    todo = size < todo.length ? todo : Arrays.copyOf(todo, 2 * size);
                    todo[size++] = to;
                }
            }
        }
        return keepReached(start, region);
    }

    /**
     * Lets calls without a result that are not in a round end the region, because most of them have an effect, and asking would be futile: all of
     * them, where the region is not {@code whole}. Returns whether there are any.
     */
    private boolean leave(int start, BitSet region, boolean whole) {
        for (int place : places) {
            AbstractInsnNode insn = jumps.at(place);
            if (region.get(place) && variables.canBeAsked(insn) && Variables.isVoid((MethodInsnNode) insn)) {
                left.set(place);
            }
        }
        if (whole && !left.isEmpty()) {
            left.andNot(jumps.leadingBack(start, region));
        }
        return !left.isEmpty();
    }

    /** Removes what was only reached through instructions outside, now that all reads before them are known. */
    private boolean keepReached(int start, BitSet region) {
        BitSet reached = new BitSet();
        Walk walk = jumps.walk(start);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            if (region.get(i)) {
                reached.set(i);
                walk.goOn();
            }
        }
        region.and(reached);
        return region.get(start);
    }

    /**
     * Whether the instruction can be executed again, cannot throw after a read, and does not change what the verifier knows of locals at the start.
     */
    private boolean hasNoEffect(int i, long passed, int start) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (code.called(insn) != null && code.called(insn).isCompareAndSet) {
            return false;
        }
        if (!types.areKept(jumps.at(start), insn)) {
            return false;
        }
        if (Purity.isStore(insn)) {
            return !live.before(start).get(((VarInsnNode) insn).var) && types.areKeptBy(jumps.at(start), (VarInsnNode) insn);
        }
        if (insn instanceof MethodInsnNode) {
            boolean isAsk = values.number(insn) >= 0 && variables.canBeAsked(insn);
            if (isAsk && Variables.isVoid((MethodInsnNode) insn) && (!comesRound || left.get(i))) {
                // Before a second look, a call without a result mostly prepares it.
                return false;
            }
            return isAsk || Purity.isFree((MethodInsnNode) insn) || variables.isLook(insn) || variables.isRead(insn) && (passed == 0 || variables.cannotThrow(insn, frames[i]) || canThrow(i));
        }
        if (Purity.isDivision(op)) {
            return i > 0 && isOtherThanZero(jumps.at(i - 1));
        }
        if (op == Opcodes.CHECKCAST) {
            // The cast of what a generic object contains, which has that type unless the code is unchecked.
            return isNull(frames[i].getStack(frames[i].getStackSize() - 1)) || isOfGeneric(i);
        }
        if (Purity.isFieldRead(insn)) {
            return passed == 0 || variables.cannotThrow(insn, frames[i]);
        }
        if (op == Opcodes.LDC) {
            Object constant = ((LdcInsnNode) insn).cst;
            // The class itself is there; another one may not be.
            boolean isClass = constant instanceof Type && (passed == 0 || ((Type) constant).getInternalName().equals(owner));
            return constant instanceof Number || constant instanceof String || isClass;
        }
        return Purity.isComputation(op);
    }

    /** Whether this is a read that can throw, of an atomic object or by a handle: the copy is left if it does. */
    private boolean canThrow(int i) {
        return variables.isRead(jumps.at(i)) && !variables.isReadOfUnsafe(jumps.at(i)) && !variables.cannotThrow(jumps.at(i), frames[i]);
    }

    private static boolean isOtherThanZero(AbstractInsnNode constant) {
        int op = constant.getOpcode();
        boolean isSmall = op >= Opcodes.ICONST_1 && op <= Opcodes.ICONST_5 || op == Opcodes.LCONST_1;
        Object number = constant instanceof LdcInsnNode ? ((LdcInsnNode) constant).cst : null;
        return isSmall || constant instanceof IntInsnNode && op != Opcodes.NEWARRAY && ((IntInsnNode) constant).operand != 0
            || number instanceof Number && ((Number) number).longValue() != 0;
    }

    /** Whether the cast value comes from a generic atomic object. */
    private boolean isOfGeneric(int i) {
        long read = frames[i].getStack(frames[i].getStackSize() - 1).unchanged;
        return Long.bitCount(read) == 1 && variables.isRead(reads.get(Long.numberOfTrailingZeros(read)));
    }

    /** Whether a value is certainly null: the result of a map lookup in the copy, which goes on only if nothing was found. */
    private boolean isNull(SharedValue value) {
        return value.unchanged != 0 && (value.unchanged & ~looks) == 0;
    }
}
