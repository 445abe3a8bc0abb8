package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * A lookup of a key in a map before {@code putIfAbsent} or {@code computeIfAbsent}, which looks again. It has no consequence if it found nothing, and
 * the method goes on in the same way whether this lookup or the second one has found something.
 *
 * <p>Both paths are followed instruction by instruction until they meet, or both return. Each must only move values, and where they meet, all that is
 * needed must be the same, if what one lookup has found is identified with what the other has found.
 *
 * <p>What the method does between the lookups to make the value may have been done in vain; that is not considered.
 */
final class MapLooks {
    private static final int MAX_STEPS = 60;
    /** The name of a value in the map, and the fact that there is one. */
    private static final String FOUND = "found";
    private static final String TRUE = "#true";

    private final Jumps jumps;
    private final Liveness live;
    private final Variables variables;
    private final Frame<SharedValue>[] frames;
    /** The numbers of fields that do not change are not among them. */
    private final SharedValues values;

    MapLooks(Jumps jumps, Liveness live, Variables variables, SharedValues values, Frame<SharedValue>[] frames) {
        this.jumps = jumps;
        this.live = live;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
    }

    /**
     * Whether a lookup that was executed before this place is repeated, and nothing else follows from it; {@code region} is what the attempt can
     * execute before.
     */
    boolean areRepeated(int look, int at, BitSet region) {
        String variable = variables.of(jumps.at(look), frames[look]);
        Between between = new Between(variable);
        if (variable == null || frames[look].getStackSize() != 2 || !isKept(at) || !jumps.walk(at, between::step) || between.act < 0 || !between.isMadeForIt()) {
            return false;
        }
        BitSet set = between.set;
        for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
            if (Purity.isStore(jumps.at(i))) {
                set.set(((VarInsnNode) jumps.at(i)).var);
            }
        }
        Path first = new Path(variable, set, true);
        first.push(variables.asksForKey(jumps.at(look)) ? TRUE : FOUND);
        first.follow(look + 1, null);
        Path second = new Path(variable, set, false);
        second.push(FOUND);
        return second.follow(between.act + 1, first);
    }

    /** Whether nothing on the stack follows from what was read, or shows which path was taken. */
    private boolean isKept(int at) {
        Frame<SharedValue> frame = frames[at];
        for (int i = 0; i < frame.getStackSize(); i++) {
            if (frame.getStack(i).name == null || frame.getStack(i).from != 0) {
                return false;
            }
        }
        return true;
    }

    /** The instructions up to the second lookup. */
    private final class Between {
        private final String variable;
        private final Set<String> made = new HashSet<>();
        final BitSet set = new BitSet();
        /** The second lookup. */
        int act = -1;

        Between(String variable) {
            this.variable = variable;
        }

        Step step(int i) {
            AbstractInsnNode insn = jumps.at(i);
            if (frames[i] == null) {
                return Step.STOP;
            }
            if (variables.isAct(insn)) {
                boolean isIt = act < 0 && frames[i].getStackSize() == 3 && variable.equals(variables.of(insn, frames[i]));
                act = i;
                return isIt ? Step.END : Step.STOP;
            }
            if (Purity.isStore(insn)) {
                set.set(((VarInsnNode) insn).var);
            }
            return isAllowed(i, insn) ? Step.ON : Step.STOP;
        }

        private boolean isAllowed(int i, AbstractInsnNode insn) {
            int op = insn.getOpcode();
            if (insn instanceof MethodInsnNode) {
                MethodInsnNode call = (MethodInsnNode) insn;
                boolean isFree = Purity.isFree(call);
                if (!isFree && !call.name.equals("<init>")) {
                    made.add(String.valueOf(values.once(insn)));
                }
                return isFree || jumps.handlers(i).length == 0;
            }
            boolean isLambda = insn instanceof InvokeDynamicInsnNode && ((InvokeDynamicInsnNode) insn).bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
            boolean isAllocation = op == Opcodes.NEW || op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY;
            boolean isOfValue = insn instanceof VarInsnNode || op == Opcodes.LDC || op == Opcodes.CHECKCAST;
            return isLambda || isAllocation || isOfValue || Purity.isComputation(op) || Purity.isFieldRead(insn);
        }

        /** Whether only one method was called, whose result is the value. */
        boolean isMadeForIt() {
            return made.isEmpty() || made.size() == 1 && made.contains(frames[act].getStack(2).name);
        }
    }

    /** The path that a method takes if there is something in the map. */
    private final class Path {
        private final String variable;
        /** The locals that have been set in the other case, unless this path sets them. */
        private final BitSet set;
        private final boolean isFirst;
        private Deque<String> stack = new ArrayDeque<>();
        private Map<Integer, String> locals = new HashMap<>();
        /** The state before each instruction. */
        private final Map<Integer, Path> before = new HashMap<>();
        private int last = -1;

        Path(String variable, BitSet set, boolean isFirst) {
            this.variable = variable;
            this.set = set;
            this.isFirst = isFirst;
        }

        private Path now() {
            Path result = new Path(variable, set, isFirst);
            result.stack = new ArrayDeque<>(stack);
            result.locals = new HashMap<>(locals);
            return result;
        }

        void push(String value) {
            // A deque has no null.
            stack.push(value == null ? "?" : value);
        }

        /** Goes on until an instruction does more than move values; with another path, returns true if both meet, or return the same. */
        boolean follow(int from, Path other) {
            int i = jumps.real(from);
            for (int steps = 0; steps < MAX_STEPS && i < jumps.size() && frames[i] != null; steps++) {
                last = i;
                before.put(i, now());
                if (other != null && other.before.containsKey(i)) {
                    return isSame(other.before.get(i), live.before(i));
                }
                int next = step(i);
                if (next < 0) {
                    break;
                }
                i = jumps.real(next);
            }
            return other != null && other.last >= 0 && last >= 0 && returnsSame(other);
        }

        private boolean returnsSame(Path other) {
            int op = jumps.at(last).getOpcode();
            if (op != jumps.at(other.last).getOpcode() || !Callees.isReturn(jumps.at(last))) {
                return false;
            }
            return op == Opcodes.RETURN || areSame(stack.peek(), other.stack.peek());
        }

        private boolean isSame(Path other, BitSet needed) {
            boolean isSame = stack.size() == other.stack.size();
            Iterator<String> others = other.stack.iterator();
            for (String value : isSame ? stack : Set.<String>of()) {
                isSame &= areSame(value, others.next());
            }
            for (int local = needed.nextSetBit(0); local >= 0; local = needed.nextSetBit(local + 1)) {
                isSame &= areSame(local(local), other.local(local));
            }
            return isSame;
        }

        private boolean areSame(String one, String other) {
            return Objects.equals(one, other) && one != null && !one.equals("?");
        }

        private String local(int local) {
            String known = locals.get(local);
            return known != null ? known : set.get(local) ? "?" : "l" + local;
        }

        /** Returns the next instruction; -1 if this one does more than move values. */
        private int step(int i) {
            AbstractInsnNode insn = jumps.at(i);
            int op = insn.getOpcode();
            if (insn instanceof VarInsnNode) {
                int local = ((VarInsnNode) insn).var;
                if (Purity.isStore(insn)) {
                    locals.put(local, stack.pop());
                } else {
                    push(local(local));
                }
                return i + 1;
            }
            if (op == Opcodes.IFNULL || op == Opcodes.IFNONNULL) {
                return !stack.pop().equals(FOUND) ? -1 : op == Opcodes.IFNULL ? i + 1 : jumps.next(i)[0];
            }
            if (op == Opcodes.IFEQ || op == Opcodes.IFNE) {
                return !stack.pop().equals(TRUE) ? -1 : op == Opcodes.IFEQ ? i + 1 : jumps.next(i)[0];
            }
            if (variables.isLook(insn) && variable.equals(variables.of(insn, frames[i]))) {
                stack.pop();
                stack.pop();
                push(variables.asksForKey(insn) ? TRUE : FOUND);
                return i + 1;
            }
            return moves(i, insn) ? op == Opcodes.GOTO ? jumps.next(i)[0] : i + 1 : -1;
        }

        private boolean moves(int i, AbstractInsnNode insn) {
            switch (insn.getOpcode()) {
                case Opcodes.NOP: case Opcodes.GOTO: case Opcodes.CHECKCAST:
                    return true;
                case Opcodes.POP:
                    stack.pop();
                    return true;
                case Opcodes.DUP:
                    push(stack.peek());
                    return true;
                case Opcodes.GETFIELD:
                    push(stack.pop() + '.' + ((FieldInsnNode) insn).name);
                    return values.number(insn) < 0 && variables.cannotThrow(insn, frames[i]);
                case Opcodes.GETSTATIC:
                    push(((FieldInsnNode) insn).owner + ' ' + ((FieldInsnNode) insn).name);
                    return values.number(insn) < 0;
                default:
                    return constant(insn);
            }
        }

        private boolean constant(AbstractInsnNode insn) {
            int op = insn.getOpcode();
            if (op < Opcodes.ACONST_NULL || op > Opcodes.LDC || insn instanceof LdcInsnNode && !isPlain(((LdcInsnNode) insn).cst)) {
                return false;
            }
            Object operand = insn instanceof IntInsnNode ? ((IntInsnNode) insn).operand : insn instanceof LdcInsnNode ? ((LdcInsnNode) insn).cst : "";
            push(op == Opcodes.ICONST_1 ? TRUE : "#" + op + ' ' + operand);
            return true;
        }

        private boolean isPlain(Object constant) {
            return constant instanceof Number || constant instanceof String;
        }
    }
}
