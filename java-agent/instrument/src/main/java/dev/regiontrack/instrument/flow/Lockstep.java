package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Follows a method on two paths at once, with a lock and without, for one value of the variable that both look at. They are alike if they do the same, one
 * thing after the other, with the same operands, until they come to the same instruction with the same values, or return the same. Between these things, each
 * path only computes what is known: it goes through jumps that the value decides, moves values, looks at the variable, and gives locks back.
 *
 * <p>What an instruction returns on one path counts as equal to what the same instruction with the same operands returns on the other.
 */
final class Lockstep {
    /** The most instructions of both paths. */
    private static final int MOST = 1000;

    /** Decides a jump. */
    interface Leads {
        /**
         * Whether a jump can go on at its {@code k}-th target; {@code frame} is what is known before it, {@code earlier} what was known before the instruction
         * before it, if that came right before.
         */
        boolean can(int jump, int k, Frame<SharedValue> frame, Frame<SharedValue> earlier);
    }

    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final SharedValues values;
    /** Whether a value is what a look at the variable has found. */
    private final Predicate<SharedValue> isFound;
    private final Leads leads;
    /** The code before the lock, which may have set locals on the path with it. */
    private final BitSet region;
    private int steps;
    private int links;

    Lockstep(Jumps jumps, Liveness live, Variables variables, SharedValues values, Predicate<SharedValue> isFound, Leads leads, BitSet region) {
        this.jumps = jumps;
        this.live = live;
        this.variables = variables;
        this.values = values;
        this.isFound = isFound;
        this.leads = leads;
        this.region = region;
    }

    /** One of the two paths: where it is, and what is known there. */
    private static final class Path {
        int at;
        Frame<SharedValue> frame;
        /** What was known before the instruction at {@code before}, the last one. */
        Frame<SharedValue> earlier;
        int before = -1;
        /** The locals that were set on this path, or may have been. */
        final BitSet set;
        /** Whether the variable may have another value by now, because the method has done something. */
        boolean isChanged;

        Path(int at, Frame<SharedValue> frame, BitSet set) {
            this.at = at;
            this.frame = frame;
            this.set = set;
        }

        Path copy() {
            Path result = new Path(at, new Frame<>(frame), (BitSet) set.clone());
            result.earlier = earlier;
            result.before = before;
            result.isChanged = isChanged;
            return result;
        }

        SharedValue top(int below) {
            return frame.getStack(frame.getStackSize() - 1 - below);
        }
    }

    /** Whether the path from {@code start} does the same as that from {@code behind} the lock. */
    boolean areAlike(int start, Frame<SharedValue> before, int behind, Frame<SharedValue> locked) throws AnalyzerException {
        BitSet stored = new BitSet();
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            set(jumps.at(i), stored);
        }
        Path without = new Path(start, new Frame<>(before), new BitSet());
        Path with = new Path(behind, new Frame<>(locked), stored);
        for (int local = 0; local < before.getLocals(); local++) {
            SharedValue value = before.getLocal(local);
            // What was computed or read before is the same on both paths, whatever it is.
            if (!stored.get(local) && value != null && (value.name == null || value.unchanged != 0)) {
                SharedValue same = new SharedValue(value.getSize(), "=" + links++, 0, value.from);
                without.frame.setLocal(local, same);
                with.frame.setLocal(local, same);
            }
        }
        return areAlike(without, with);
    }

    private boolean areAlike(Path without, Path with) throws AnalyzerException {
        while (true) {
            Map<Integer, Path> passed = new HashMap<>();
            while (isSilent(without)) {
                if (passed.put(without.at, without.copy()) != null || !step(without)) {
                    return false;
                }
            }
            passed.put(without.at, without.copy());
            Path met = passed.get(with.at);
            while (met == null || !isSame(met, with)) {
                if (!isSilent(with)) {
                    break;
                }
                if (!step(with)) {
                    return false;
                }
                met = passed.get(with.at);
            }
            if (met != null && isSame(met, with)) {
                return true;
            }
            if (!doTheSame(without, with)) {
                return false;
            }
            AbstractInsnNode insn = jumps.at(without.at);
            if (isEnd(insn)) {
                return true;
            }
            int[] ways = jumps.next(without.at);
            int[] waysWith = jumps.next(with.at);
            if (ways.length != waysWith.length || ways.length == 0) {
                return false;
            }
            execute(without);
            execute(with);
            link(without, with, insn);
            for (int k = 0; k < ways.length - 1; k++) {
                Path one = without.copy();
                Path other = with.copy();
                if (!go(one, ways[k]) || !go(other, waysWith[k]) || !areAlike(one, other)) {
                    return false;
                }
            }
            if (!go(without, ways[ways.length - 1]) || !go(with, waysWith[waysWith.length - 1])) {
                return false;
            }
        }
    }

    // ---- one path

    /** Executes an instruction that is silent. Returns false if that takes too long. */
    private boolean step(Path path) throws AnalyzerException {
        int at = path.at;
        int[] next = jumps.next(at);
        int way = -1;
        for (int k = 0; k < next.length; k++) {
            if (next.length == 1 || leads.can(at, k, path.frame, earlier(path))) {
                way = k;
            }
        }
        execute(path);
        return way >= 0 && go(path, next[way]);
    }

    private Frame<SharedValue> earlier(Path path) {
        return path.before == path.at - 1 ? path.earlier : null;
    }

    private void execute(Path path) throws AnalyzerException {
        AbstractInsnNode insn = jumps.at(path.at);
        path.earlier = new Frame<>(path.frame);
        path.before = path.at;
        set(insn, path.set);
        path.frame.execute(insn, values);
    }

    private boolean go(Path path, int to) {
        path.at = jumps.real(to);
        return path.at < jumps.size() && ++steps < MOST;
    }

    private static void set(AbstractInsnNode insn, BitSet locals) {
        if (Purity.isStore(insn)) {
            locals.set(((VarInsnNode) insn).var);
        } else if (insn instanceof IincInsnNode) {
            locals.set(((IincInsnNode) insn).var);
        }
    }

    /** Whether the path goes on in a known way, and nothing happens that others or the method could notice. */
    private boolean isSilent(Path path) throws AnalyzerException {
        AbstractInsnNode insn = jumps.at(path.at);
        int op = insn.getOpcode();
        int[] next = jumps.next(path.at);
        if (isEnd(insn) || next.length == 0) {
            return false;
        }
        if (next.length > 1) {
            int ways = 0;
            for (int k = 0; k < next.length; k++) {
                ways += leads.can(path.at, k, path.frame, earlier(path)) ? 1 : 0;
            }
            return ways == 1;
        }
        boolean isMove = insn instanceof VarInsnNode || op >= Opcodes.NOP && op <= Opcodes.LDC || op >= Opcodes.POP && op <= Opcodes.SWAP;
        if (isMove || op >= Opcodes.LCMP && op <= Opcodes.DCMPG || op == Opcodes.GOTO || op == Opcodes.CHECKCAST || op == Opcodes.MONITOREXIT || Variables.isUnlock(insn)) {
            return true;
        }
        boolean isRead = values.number(insn) >= 0;
        if (!pushes(insn) || !isRead && !Purity.isFieldRead(insn)) {
            return false;
        }
        Frame<SharedValue> after = new Frame<>(path.frame);
        after.execute(insn, values);
        SharedValue value = after.getStack(after.getStackSize() - 1);
        if (isRead) {
            return !path.isChanged && isFound.test(value);
        }
        // A field that does not change.
        return value.name != null && !SharedValues.isResult(value.name) && variables.cannotThrow(insn, path.frame);
    }

    /** Whether the method ends here, or goes on in a handler. */
    static boolean isEnd(AbstractInsnNode insn) {
        return Callees.isReturn(insn) || insn.getOpcode() == Opcodes.ATHROW;
    }

    /** Returns the handlers of an instruction's exceptions, other than those that only give a lock back and throw the exception on. */
    private Set<Integer> handlers(int i) {
        Set<Integer> result = new TreeSet<>();
        add(i, result, new BitSet());
        return result;
    }

    private void add(int i, Set<Integer> to, BitSet seen) {
        for (int handler : jumps.handlers(i)) {
            int[] end = {-1};
            boolean isPassing = !seen.get(handler) && jumps.walk(handler, at -> {
                AbstractInsnNode insn = jumps.at(at);
                if (insn.getOpcode() == Opcodes.ATHROW) {
                    end[0] = at;
                    return Step.END;
                }
                boolean isMove = insn instanceof VarInsnNode || Purity.isFieldRead(insn) || insn.getOpcode() == Opcodes.GOTO;
                return isMove || insn.getOpcode() == Opcodes.MONITOREXIT || Variables.isUnlock(insn) ? Step.ON : Step.STOP;
            });
            seen.set(handler);
            if (isPassing && end[0] >= 0) {
                add(end[0], to, seen);
            } else {
                to.add(handler);
            }
        }
    }

    // ---- both paths

    /** Whether both paths are at the same instruction, and everything that is needed from there on has the same value. */
    private boolean isSame(Path one, Path other) {
        if (one.at != other.at || one.isChanged != other.isChanged || one.frame.getStackSize() != other.frame.getStackSize()) {
            return false;
        }
        BitSet needed = live.before(one.at);
        for (int local = needed.nextSetBit(0); local >= 0; local = needed.nextSetBit(local + 1)) {
            boolean isSet = one.set.get(local) || other.set.get(local);
            if (isSet && !isLike(one.frame.getLocal(local), other.frame.getLocal(local))) {
                return false;
            }
        }
        return areLike(one, other, one.frame.getStackSize());
    }

    /** Whether the uppermost {@code n} values on the stacks are the same. */
    private boolean areLike(Path one, Path other, int n) {
        if (one.frame.getStackSize() < n || other.frame.getStackSize() < n) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (!isLike(one.top(i), other.top(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isLike(SharedValue one, SharedValue other) {
        if (isFound.test(one) || isFound.test(other)) {
            return isFound.test(one) && isFound.test(other);
        }
        return one.name != null && one.name.equals(other.name);
    }

    /** Whether the instructions of both paths are of the same kind, about the same things, and if they throw, the same happens. */
    private boolean doTheSame(Path without, Path with) throws AnalyzerException {
        AbstractInsnNode one = jumps.at(without.at);
        AbstractInsnNode other = jumps.at(with.at);
        int operands = operands(without);
        return one.getOpcode() == other.getOpcode() && isOfSame(one, other) && operands >= 0 && areLike(without, with, operands)
            && handlers(without.at).equals(handlers(with.at)) && (one.getOpcode() != Opcodes.ATHROW || handlers(without.at).isEmpty());
    }

    /** Returns how many values the path's instruction takes from the stack. */
    private int operands(Path path) throws AnalyzerException {
        AbstractInsnNode insn = jumps.at(path.at);
        if (isEnd(insn)) {
            return insn.getOpcode() == Opcodes.RETURN ? 0 : 1;
        }
        Frame<SharedValue> after = new Frame<>(path.frame);
        after.execute(insn, values);
        return path.frame.getStackSize() - after.getStackSize() + (pushes(insn) ? 1 : 0);
    }

    private static boolean pushes(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        if (insn instanceof MethodInsnNode) {
            return !((MethodInsnNode) insn).desc.endsWith(")V");
        }
        if (insn instanceof InvokeDynamicInsnNode) {
            return !((InvokeDynamicInsnNode) insn).desc.endsWith(")V");
        }
        boolean isArithmetic = op >= Opcodes.IADD && op <= Opcodes.DCMPG && op != Opcodes.IINC;
        boolean isLoad = op >= Opcodes.IALOAD && op <= Opcodes.SALOAD;
        return isArithmetic || isLoad || Purity.isFieldRead(insn) || op >= Opcodes.NEW && op <= Opcodes.ARRAYLENGTH || op == Opcodes.INSTANCEOF
            || op == Opcodes.MULTIANEWARRAY;
    }

    private static boolean isOfSame(AbstractInsnNode one, AbstractInsnNode other) {
        if (one instanceof FieldInsnNode) {
            FieldInsnNode field = (FieldInsnNode) other;
            return ((FieldInsnNode) one).owner.equals(field.owner) && ((FieldInsnNode) one).name.equals(field.name) && ((FieldInsnNode) one).desc.equals(field.desc);
        }
        if (one instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) other;
            return ((MethodInsnNode) one).owner.equals(call.owner) && ((MethodInsnNode) one).name.equals(call.name) && ((MethodInsnNode) one).desc.equals(call.desc);
        }
        if (one instanceof InvokeDynamicInsnNode) {
            InvokeDynamicInsnNode call = (InvokeDynamicInsnNode) other;
            InvokeDynamicInsnNode that = (InvokeDynamicInsnNode) one;
            return that.name.equals(call.name) && that.desc.equals(call.desc) && that.bsm.equals(call.bsm) && Arrays.equals(that.bsmArgs, call.bsmArgs);
        }
        if (one instanceof TypeInsnNode) {
            return ((TypeInsnNode) one).desc.equals(((TypeInsnNode) other).desc);
        }
        if (one instanceof MultiANewArrayInsnNode) {
            return ((MultiANewArrayInsnNode) one).desc.equals(((MultiANewArrayInsnNode) other).desc);
        }
        if (one instanceof IntInsnNode) {
            return ((IntInsnNode) one).operand == ((IntInsnNode) other).operand;
        }
        // Of a switch, the same targets would have to stand for the same keys.
        return !(one instanceof LookupSwitchInsnNode) && !(one instanceof TableSwitchInsnNode) && !(one instanceof IincInsnNode) && !(one instanceof LdcInsnNode);
    }

    /** What both instructions have returned counts as equal. Anything but a computation may have changed the variable. */
    private void link(Path without, Path with, AbstractInsnNode insn) {
        if (pushes(insn)) {
            SharedValue equal = new SharedValue(without.top(0).getSize(), "=" + links++, 0, 0);
            without.frame.setStack(without.frame.getStackSize() - 1, equal);
            with.frame.setStack(with.frame.getStackSize() - 1, equal);
        }
        boolean isComputation = Purity.isComputation(insn.getOpcode()) || Purity.isFieldRead(insn) || insn.getOpcode() == Opcodes.INSTANCEOF;
        without.isChanged |= !isComputation;
        with.isChanged |= !isComputation;
    }
}
