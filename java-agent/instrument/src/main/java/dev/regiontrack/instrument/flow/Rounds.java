package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Walk;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds the rounds of a method's loops that read and then try a {@code compareAndSet}, and for which it is not known before that whether what they
 * have read has a consequence: it has none if the {@code compareAndSet} fails and the loop goes round again. A copy of the code ({@link Attempts})
 * cannot find this out, because it cannot make the call.
 *
 * <p>A round starts where a jump leads back to, with nothing on the stack. It extends over all instructions that only read and compute, that set only
 * locals whose value the next round does not need, and that try a {@code compareAndSet}, as far as they can lead back to the start. It need not be
 * possible to execute it again, so it can contain instructions that throw.
 */
final class Rounds {
    private static final int MAX_SIZE = 150;

    private final String owner;
    private final Expanded code;
    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;
    private final LocalTypes types;
    private final Consequences consequences;
    private final List<Attempt> attempts;
    /** For the current start: the instructions of the method at which the round must not go on. */
    private final BitSet ends = new BitSet();

    /** {@code attempts} are all those of the method. */
    Rounds(String owner, Expanded code, Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames, LocalTypes types,
        Consequences consequences, List<Attempt> attempts) {
        this.owner = owner;
        this.code = code;
        this.jumps = jumps;
        this.live = live;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
        this.types = types;
        this.consequences = consequences;
        this.attempts = attempts;
    }

    /** Returns the rounds, none of which starts in another one. */
    List<Round> find() {
        List<Round> result = new ArrayList<>();
        BitSet starts = tries() ? starts() : new BitSet();
        BitSet taken = new BitSet();
        for (int start = starts.nextSetBit(0); start >= 0; start = starts.nextSetBit(start + 1)) {
            BitSet region = taken.get(start) ? new BitSet() : region(start);
            Round round = region.isEmpty() ? null : round(start, region);
            if (round != null) {
                result.add(round);
                taken.or(region);
            }
        }
        return result;
    }

    private boolean tries() {
        for (int i = 0; i < jumps.size(); i++) {
            if (isTry(i)) {
                return true;
            }
        }
        return false;
    }

    /** Returns where jumps lead back to, if a round can start there. */
    private BitSet starts() {
        BitSet result = new BitSet();
        for (int i = 0; i < jumps.size(); i++) {
            for (int next : jumps.next(i)) {
                int to = jumps.real(next);
                boolean isBack = next <= i && to < jumps.size() && frames[i] != null;
                if (isBack && !code.isInside(jumps.at(to)) && frames[to].getStackSize() == 0) {
                    result.set(to);
                }
            }
        }
        return result;
    }

    // ---- the instructions of one round

    /** Returns the instructions of the round that starts here, with those of called methods; none if there is no round. */
    private BitSet region(int start) {
        ends.clear();
        for (;;) {
            BitSet result = jumps.leadingBack(start, reached(start));
            if (!leave(start, result)) {
                return result.cardinality() <= MAX_SIZE && isUseful(start, result) ? result : new BitSet();
            }
        }
    }

    /** Returns all that can follow without an effect. */
    private BitSet reached(int start) {
        BitSet result = new BitSet();
        BitSet refused = new BitSet();
        Walk walk = jumps.walk(start);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            boolean isCall = code.called(jumps.at(i)) != null;
            if (!ends.get(i) && !refused.get(i) && (isCall ? canCall(i, start) : code.isInside(jumps.at(i)) || isPassed(i, start))) {
                result.set(i);
                walk.goOn();
            }
        }
        return result;
    }

    /**
     * Whether an expanded call has no effect: in the method, it is a call, so there can be no hook inside where it has one. A receiver that is null
     * makes the call throw. If the called method had a loop, it could have rounds itself.
     */
    private boolean canCall(int call, int start) {
        for (int i = call + 1; i < jumps.size() && (jumps.at(i).getOpcode() < 0 || code.isInside(jumps.at(i))); i++) {
            AbstractInsnNode insn = jumps.at(i);
            boolean isOfNull = insn.getOpcode() == Opcodes.ATHROW || frames[i] == null;
            if (insn.getOpcode() >= 0 && !isOfNull && (!isPassed(i, start) || variables.canBeAsked(insn) || leadsBack(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean leadsBack(int i) {
        for (int next : jumps.next(i)) {
            if (next <= i) {
                return true;
            }
        }
        return false;
    }

    /** Whether the instruction has no effect that the next round, or anything else, can see, except that it may be a {@code compareAndSet}. */
    private boolean isPassed(int i, int start) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (Purity.isStore(insn)) {
            return !live.before(start).get(((VarInsnNode) insn).var);
        }
        if (op == Opcodes.IINC) {
            return !live.before(start).get(((IincInsnNode) insn).var);
        }
        if (insn instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) insn;
            // Most calls without a result have an effect, and need not be asked.
            return Purity.isFree(call) || variables.isRead(call) || isCompareAndSet(call) || isAsk(i) && !Variables.isVoid(call);
        }
        if (op == Opcodes.LDC) {
            Object constant = ((LdcInsnNode) insn).cst;
            return constant instanceof Number || constant instanceof String || constant instanceof Type;
        }
        boolean isOfObject = op == Opcodes.CHECKCAST || op == Opcodes.INSTANCEOF || op == Opcodes.ARRAYLENGTH;
        return isOfObject || isElement(insn) || Purity.isComputation(op) || Purity.isDivision(op) || Purity.isFieldRead(insn);
    }

    private static boolean isElement(AbstractInsnNode insn) {
        return insn.getOpcode() >= Opcodes.IALOAD && insn.getOpcode() <= Opcodes.SALOAD;
    }

    private boolean isAsk(int i) {
        return values.number(jumps.at(i)) >= 0 && variables.canBeAsked(jumps.at(i));
    }

    private boolean isCompareAndSet(AbstractInsnNode insn) {
        return variables.isCompareAndSet(insn) || variables.isCompareAndSetOfUnsafe(insn);
    }

    /** Whether this is a {@code compareAndSet}, or may be. */
    private boolean isTry(int i) {
        return isCompareAndSet(jumps.at(i)) || isAsk(i) && Variables.mayCompareAndSet((MethodInsnNode) jumps.at(i));
    }

    /**
     * Ends the round where the copy of an attempt that starts in it may lead on to, if the copy can set locals that the next round needs: there are
     * no hooks in the copy. Returns whether that is new.
     */
    private boolean leave(int start, BitSet region) {
        boolean isNew = false;
        for (Attempt attempt : attempts) {
            if (attempt.first() != start && region.get(attempt.first()) && !areFree(attempt.region(), start)) {
                for (int on : attempt.on()) {
                    isNew |= region.get(on);
                    ends.set(on);
                }
            }
        }
        return isNew;
    }

    /** Whether none of the instructions sets a local that the start needs. */
    private boolean areFree(BitSet region, int start) {
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            if (Purity.isStore(jumps.at(i)) && !isPassed(i, start)) {
                return false;
            }
        }
        return true;
    }

    // ---- what the round is good for

    /**
     * Whether a path through the round reads, and then tries a {@code compareAndSet}, and the latter does not look at all that was read itself: then
     * the reads would be no events anyway.
     */
    private boolean isUseful(int start, BitSet region) {
        long[] passed = new long[jumps.size()];
        BitSet elements = new BitSet();
        pass(start, region, passed, elements);
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            boolean isOne = isTry(i) && !isOfCall(i) || code.called(jumps.at(i)) != null && code.called(jumps.at(i)).isCompareAndSet;
            if (isOne && (elements.get(i) || passed[i] != 0 && !looksAt(i, passed[i], start, region))) {
                return true;
            }
        }
        return false;
    }

    /** Finds, for each instruction of the round, the reads that can have been executed since the start; and whether an element can have been read. */
    private void pass(int start, BitSet region, long[] passed, BitSet elements) {
        for (boolean isDone = false; !isDone;) {
            isDone = true;
            for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
                int read = values.number(jumps.at(i));
                long here = passed[i] | (read < 0 ? 0 : 1L << read);
                boolean isElement = elements.get(i) || isElement(jumps.at(i));
                for (int next : jumps.next(i)) {
                    int to = jumps.real(next);
                    if (to != start && region.get(to) && ((here & ~passed[to]) != 0 || isElement && !elements.get(to))) {
                        passed[to] |= here;
                        elements.set(to, isElement || elements.get(to));
                        isDone = false;
                    }
                }
            }
        }
    }

    /** Whether this is the instruction of a method that does nothing but a {@code compareAndSet}, whose call counts. */
    private boolean isOfCall(int i) {
        int at = i;
        while (at >= 0 && code.isInside(jumps.at(at))) {
            at--;
        }
        return at < i && code.called(jumps.at(at)) != null && code.called(jumps.at(at)).isCompareAndSet;
    }

    /** Whether a {@code compareAndSet} looks at what was read, so that it has no consequence whether that is an event. */
    private boolean looksAt(int at, long passed, int start, BitSet region) {
        if (isAsk(at)) {
            return false;
        }
        return code.isInside(jumps.at(at)) ? consequences.areOf(passed, at) : consequences.areNone(at, passed, start, region);
    }

    // ---- the result

    /** Returns null if some frame has an object whose constructor was not yet called, which cannot be put elsewhere; or the code runs out. */
    private Round round(int start, BitSet region) {
        Round result = new Round(code.place(jumps.at(start)), types.before(jumps.at(start)));
        boolean areKnown = isKnown(result.frame());
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            AbstractInsnNode insn = jumps.at(i);
            if (code.isInside(insn)) {
                continue;
            }
            AbstractInsnNode place = code.place(insn);
            result.add(place);
            if (isAsk(i)) {
                result.ask((MethodInsnNode) place);
            }
            if (canThrow(i)) {
                result.throwsAt(place, types.before(insn));
                areKnown &= isKnown(types.before(insn));
            }
        }
        return areKnown && addExits(start, region, result) ? result : null;
    }

    private static boolean isKnown(FrameNode frame) {
        if (frame == null) {
            return false;
        }
        for (Object type : frame.local) {
            if (type instanceof LabelNode) {
                return false;
            }
        }
        return true;
    }

    private boolean canThrow(int i) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (code.called(insn) != null) {
            return true;
        }
        if (insn instanceof MethodInsnNode) {
            return !Purity.isFree((MethodInsnNode) insn);
        }
        if (op == Opcodes.GETSTATIC) {
            return !((FieldInsnNode) insn).owner.equals(owner);
        }
        boolean isClass = op == Opcodes.LDC && ((LdcInsnNode) insn).cst instanceof Type;
        boolean isOfObject = op == Opcodes.CHECKCAST || op == Opcodes.INSTANCEOF || op == Opcodes.ARRAYLENGTH;
        return isClass || isOfObject || isElement(insn) || Purity.isDivision(op) || op == Opcodes.GETFIELD && !variables.cannotThrow(insn, frames[i]);
    }

    private boolean addExits(int start, BitSet region, Round to) {
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            for (int next : jumps.next(i)) {
                int at = jumps.real(next);
                if (at == jumps.size()) {
                    return false;
                }
                // A call of a method of the class throws if there is no receiver.
                if (at != start && !region.get(at) && !code.isInside(jumps.at(at))) {
                    to.exit(code.place(jumps.at(at)));
                }
            }
        }
        for (Attempt attempt : attempts) {
            for (int on : attempt.first() != start && region.get(attempt.first()) ? attempt.on() : new int[0]) {
                if (on != start && !region.get(on)) {
                    to.exit(code.place(jumps.at(on)));
                }
            }
        }
        return true;
    }
}
