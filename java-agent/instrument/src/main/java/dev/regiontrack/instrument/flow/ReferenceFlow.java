package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.selection.ArrayMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * A data-flow analysis: which locals and operands may hold the arrays and objects that a method allocates or gets as arguments, and their
 * states. Of the arguments, arrays are followed, and the object that a constructor initializes.
 *
 * <p>A value has the set of <em>sources</em> (instructions that allocate an array or object, parameters) that it can come from. It is exactly
 * the newest array of a source if it has a single source and was not merged with anything else. When the instruction is executed again,
 * values that hold its previous array are no longer exact. So an instruction in a loop makes many arrays, and copies of a value are the same
 * array. The same holds for objects.
 *
 * <p>For each source the flow keeps the set of possible states of its newest array or object: {@link #FRESH}, {@link #MARKED}, {@link #LEFT}.
 * An object counts as escaped until its constructor has returned.
 */
final class ReferenceFlow {
    /** It has not escaped the method, and was not accessed. */
    static final int FRESH = 1;
    /** It has not escaped the method, and an access to it has no hook. */
    static final int MARKED = 2;
    /** It has escaped the method. */
    static final int LEFT = 4;
    /** An earlier array of this source, which a value can still hold, was marked. */
    static final int OLD_MARKED = 8;
    /** One for each bit of a long. */
    private static final int MAX_SOURCES = 64;

    /** Receives the results for each instruction, once the flow is known. */
    interface Listener {
        /** An access to an element or field that needs no hook; {@code isFirst} if the thread may have made no event before. */
        default void access(AbstractInsnNode insn, int source, boolean isFirst) {
            // Nothing escapes or is constructed.
        }

        /**
         * The newest array of a source, which has not escaped, is passed to a method that will access it and not let it
         * escape; the other arguments as in {@link #access} and {@link #leaves}.
         */
        default void lends(AbstractInsnNode insn, int source, int above, int size, boolean isFirst) {
            // Nothing escapes or is constructed.
        }

        /** Before {@link #lends} and {@link #passesOn}: the call is one of a static method, of a constructor, or of the object whose method this is. */
        default void callsOwn(AbstractInsnNode insn) {
            // Nothing escapes or is constructed.
        }

        /** A parameter is certainly what is passed to a method that can access it and does not let it escape; the rest as in {@link #leaves}. */
        default void passesOn(AbstractInsnNode insn, int parameter, int above, int size) {
            // Nothing escapes or is constructed.
        }

        /** An array that is certainly or possibly a parameter is accessed, or passed to a method that can access it. */
        default void touches(AbstractInsnNode insn, int parameter, boolean isCertain) {
            // Nothing escapes or is constructed.
        }

        /**
         * The newest array of a source, which is marked, escapes: the operand below {@code above} others, the uppermost
         * of the given size. {@code isLast} if the method has no other copy of it.
         */
        void leaves(AbstractInsnNode insn, int source, int above, int size, boolean isLast);

        /** An array or object of a source escapes that can be marked, but cannot be distinguished from others. */
        void leavesUnknown(int source);

        /** A field of the newest object of a source, which may be a parameter and has not escaped, is written. */
        default void writes(FieldInsnNode insn, int source) {
            // For listeners that do not follow objects.
        }

        /** The newest object of a source, which may be a parameter, is passed to a constructor. */
        default void constructs(MethodInsnNode call, int source) {
            // For listeners that do not follow objects.
        }
    }

    private final MethodNode method;
    private final ArrayMode mode;
    private final Passing passing;
    private final Map<AbstractInsnNode, Integer> sources = new HashMap<>();
    private final int parameters;

    ReferenceFlow(MethodNode method, ArrayMode mode, Passing passing) {
        this.method = method;
        this.mode = mode;
        this.passing = passing;
        int arguments = Type.getArgumentTypes(method.desc).length;
        parameters = Math.min(isConstructor() ? arguments + 1 : arguments, MAX_SOURCES);
        int next = parameters;
        for (AbstractInsnNode insn : makers(method, mode)) {
            if (next < MAX_SOURCES) {
                sources.put(insn, next++);
            }
        }
    }

    /** Returns the instructions that make arrays whose elements have hooks, or objects whose fields the method accesses. */
    static List<AbstractInsnNode> makers(MethodNode method, ArrayMode mode) {
        Set<String> accessed = new HashSet<>();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() == Opcodes.GETFIELD || insn.getOpcode() == Opcodes.PUTFIELD) {
                accessed.add(((FieldInsnNode) insn).owner);
            }
        }
        List<AbstractInsnNode> makers = new ArrayList<>();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            int op = insn.getOpcode();
            boolean isArray = op == Opcodes.ANEWARRAY || op == Opcodes.MULTIANEWARRAY || op == Opcodes.NEWARRAY && mode == ArrayMode.ALL;
            if (isArray && mode != ArrayMode.NONE || op == Opcodes.NEW && accessed.contains(((TypeInsnNode) insn).desc)) {
                makers.add(insn);
            }
        }
        return makers;
    }

    private boolean isConstructor() {
        return method.name.equals("<init>");
    }

    /** Returns the object that a constructor initializes, as a source; -1 if there is none, or too many others. */
    int self() {
        int self = Type.getArgumentTypes(method.desc).length;
        return isConstructor() && self < parameters ? self : -1;
    }

    /** Whether a source makes objects. */
    boolean isObject(int source) {
        return source >= parameters && maker(source).getOpcode() == Opcodes.NEW;
    }

    /** Returns how many sources are parameters: the first ones. */
    int parameters() {
        return parameters;
    }

    /** Returns the instruction that allocates the arrays or objects of a source. */
    AbstractInsnNode maker(int source) {
        for (Map.Entry<AbstractInsnNode, Integer> entry : sources.entrySet()) {
            if (entry.getValue() == source) {
                return entry.getKey();
            }
        }
        throw new IllegalArgumentException("source " + source);
    }

    /** Computes the flow and reports the results for each reachable instruction. */
    void run(String owner, Listener listener) throws AnalyzerException {
        Frame<Place>[] frames = new Solver().analyze(owner, method);
        int at = 0;
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            State before = (State) frames[at++];
            if (before != null) {
                new State(before).apply(insn, listener);
            }
        }
    }

    private final class Solver extends Analyzer<Place> {
        Solver() {
            super(new Places());
        }

        @Override
        protected Frame<Place> newFrame(int locals, int stack) {
            return new State(locals, stack);
        }

        @Override
        protected Frame<Place> newFrame(Frame<? extends Place> frame) {
            return new State((State) frame);
        }
    }

    /** The locals and operands before an instruction, and the states of the sources' arrays. */
    final class State extends Frame<Place> {
        /** By source; created in {@code init}, which the copy constructor calls. */
        private byte[] fates;
        /** Whether the thread has certainly made an event since the method began. */
        private boolean hasActed;

        State(int locals, int stack) {
            super(locals, stack);
            fates = new byte[parameters + sources.size()];
            Arrays.fill(fates, 0, parameters, (byte) MARKED);
        }

        State(State other) {
            super(other);
        }

        @Override
        public Frame<Place> init(Frame<? extends Place> other) {
            super.init(other);
            fates = ((State) other).fates.clone();
            hasActed = ((State) other).hasActed;
            return this;
        }

        @Override
        public boolean merge(Frame<? extends Place> other, Interpreter<Place> interpreter) throws AnalyzerException {
            boolean isChanged = super.merge(other, interpreter);
            State state = (State) other;
            for (int i = 0; i < fates.length; i++) {
                isChanged |= fates[i] != (fates[i] |= state.fates[i]);
            }
            isChanged |= hasActed && !state.hasActed;
            hasActed &= state.hasActed;
            return isChanged;
        }

        /** A handler begins: the instruction has thrown, possibly after its operands have left. */
        @Override
        public void clearStack() {
            super.clearStack();
            for (int i = 0; i < fates.length; i++) {
                fates[i] |= fates[i] == 0 ? 0 : LEFT;
            }
        }

        @Override
        public void execute(AbstractInsnNode insn, Interpreter<Place> interpreter) throws AnalyzerException {
            apply(insn, null);
            Integer source = sources.get(insn);
            if (source != null) {
                make(source, insn.getOpcode() == Opcodes.NEW ? LEFT : FRESH);
            } else if (Frames.isConstruction(insn)) {
                construct(receiver((MethodInsnNode) insn));
            }
            super.execute(insn, interpreter);
        }

        Place operand(int above) {
            return getStack(getStackSize() - 1 - above);
        }

        private int copies(int source) {
            int copies = 0;
            for (int i = 0; i < getLocals() + getStackSize(); i++) {
                Place place = i < getLocals() ? getLocal(i) : getStack(i - getLocals());
                copies += (int) (place.sources >>> source & 1);
            }
            return copies;
        }

        private void make(int source, int fate) {
            boolean isHeld = false;
            for (int i = 0; i < getLocals(); i++) {
                if ((getLocal(i).sources >>> source & 1) != 0) {
                    setLocal(i, getLocal(i).mixed());
                    isHeld = true;
                }
            }
            for (int i = 0; i < getStackSize(); i++) {
                if ((getStack(i).sources >>> source & 1) != 0) {
                    setStack(i, getStack(i).mixed());
                    isHeld = true;
                }
            }
            boolean wasMarked = isHeld && (fates[source] & (MARKED | OLD_MARKED)) != 0;
            fates[source] = (byte) (fate | (wasMarked ? OLD_MARKED : 0));
        }

        /** A constructor has returned. */
        private void construct(Place object) {
            int source = object.exactly();
            if (source >= parameters) {
                fates[source] = (byte) (fates[source] & OLD_MARKED | FRESH);
            }
        }

        private Place receiver(MethodInsnNode call) {
            return operand(Type.getArgumentTypes(call.desc).length);
        }

        /** Applies an instruction to the arrays and objects among its operands. */
        private void apply(AbstractInsnNode insn, Listener listener) {
            int op = insn.getOpcode();
            if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) {
                access(insn, operand(1), op == Opcodes.AALOAD, listener);
            } else if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
                if (op == Opcodes.AASTORE) {
                    leave(insn, 0, listener);
                }
                access(insn, operand(2), op == Opcodes.AASTORE, listener);
            } else if (op == Opcodes.GETFIELD) {
                accessField(insn, operand(0), listener);
            } else if (op == Opcodes.PUTFIELD) {
                leave(insn, 0, listener);
                int source = operand(1).exactly();
                if (listener != null && source >= 0 && (fates[source] & LEFT) == 0) {
                    listener.writes((FieldInsnNode) insn, source);
                }
                accessField(insn, operand(1), listener);
            } else if (op == Opcodes.PUTSTATIC || op == Opcodes.ARETURN || op == Opcodes.ATHROW || op == Opcodes.MONITORENTER) {
                leave(insn, 0, listener);
            } else {
                if (listener != null && Frames.isConstruction(insn) && receiver((MethodInsnNode) insn).exactly() >= 0) {
                    listener.constructs((MethodInsnNode) insn, receiver((MethodInsnNode) insn).exactly());
                }
                for (int above : passing.leaving(insn)) {
                    leave(insn, above, listener);
                }
                int[] lent = passing.lent(insn);
                if (lent.length > 0 && listener != null && isOwn((MethodInsnNode) insn)) {
                    listener.callsOwn(insn);
                }
                for (int above : lent) {
                    lend(insn, above, listener);
                }
            }
        }

        private void access(AbstractInsnNode insn, Place array, boolean isReference, Listener listener) {
            if (mode == ArrayMode.NONE || !isReference && mode != ArrayMode.ALL) {
                return;
            }
            touch(insn, array, listener);
            int source = array.exactly();
            if (mark(source) && listener != null) {
                listener.access(insn, source, !hasActed);
            }
            hasActed = true;
        }

        /** It is not known here whether the access leaves a record, so it does not count as an action of the thread. */
        private void accessField(AbstractInsnNode insn, Place object, Listener listener) {
            int source = object.exactly();
            if (mark(source) && listener != null) {
                listener.access(insn, source, false);
            }
        }

        private boolean isOwn(MethodInsnNode call) {
            return Passing.isFixed(call) || receiver(call).equals(Place.THIS);
        }

        private void lend(AbstractInsnNode insn, int above, Listener listener) {
            Place array = operand(above);
            touch(insn, array, listener);
            int source = array.exactly();
            if (source >= 0 && source < parameters && listener != null) {
                listener.passesOn(insn, source, above, operand(0).getSize());
            }
            if (mark(source)) {
                if (listener != null) {
                    listener.lends(insn, source, above, operand(0).getSize(), !hasActed);
                }
                hasActed = true;
            }
        }

        /** Marks the newest array or object of a source; returns false if it may have escaped. */
        private boolean mark(int source) {
            if (source < parameters || (fates[source] & LEFT) != 0) {
                return false;
            }
            fates[source] = (byte) (fates[source] & ~FRESH | MARKED);
            return true;
        }

        private void touch(AbstractInsnNode insn, Place array, Listener listener) {
            for (int i = 0; i < parameters && listener != null; i++) {
                if ((array.sources >>> i & 1) != 0) {
                    listener.touches(insn, i, array.exactly() == i);
                }
            }
        }

        private void leave(AbstractInsnNode insn, int above, Listener listener) {
            Place value = operand(above);
            int exact = value.exactly();
            for (long left = value.sources; left != 0; left &= left - 1) {
                int source = Long.numberOfTrailingZeros(left);
                int fate = fates[source];
                boolean isNewest = source == exact;
                boolean isMarked = (fate & (isNewest ? MARKED : MARKED | OLD_MARKED)) != 0;
                if (listener != null && isMarked) {
                    if (isNewest && (fate & LEFT) == 0) {
                        listener.leaves(insn, source, above, operand(0).getSize(), copies(source) == 1);
                    } else {
                        listener.leavesUnknown(source);
                    }
                }
                fates[source] = (byte) (isNewest ? fate & OLD_MARKED | LEFT : fate | LEFT);
            }
        }
    }

    /** Values of all types are equal, except the arrays and objects of a source. */
    private final class Places extends Interpreter<Place> {
        private final BasicInterpreter sizes = new BasicInterpreter();

        Places() {
            super(Opcodes.ASM9);
        }

        @Override
        public Place newValue(Type type) {
            if (type == null) {
                return Place.UNUSABLE;
            }
            return type.getSize() == 0 ? null : type.getSize() == 1 ? Place.OTHER : Place.WIDE;
        }

        @Override
        public Place newParameterValue(boolean isInstanceMethod, int local, Type type) {
            int at = isInstanceMethod ? 1 : 0;
            if (local == 0 && self() >= 0) {
                return new Place(1, 1L << self(), false);
            }
            if (local == 0 && isInstanceMethod) {
                return Place.THIS;
            }
            Type[] types = Type.getArgumentTypes(method.desc);
            for (int i = 0; i < Math.min(parameters, types.length); i++) {
                if (at == local && Passing.isFollowed(types[i])) {
                    return new Place(1, 1L << i, false);
                }
                at += types[i].getSize();
            }
            return newValue(type);
        }

        @Override
        public Place newOperation(AbstractInsnNode insn) throws AnalyzerException {
            return made(insn, sizes.newOperation(insn));
        }

        @Override
        public Place copyOperation(AbstractInsnNode insn, Place value) {
            return value;
        }

        @Override
        public Place unaryOperation(AbstractInsnNode insn, Place value) throws AnalyzerException {
            return insn.getOpcode() == Opcodes.CHECKCAST ? value : made(insn, sizes.unaryOperation(insn, null));
        }

        @Override
        public Place binaryOperation(AbstractInsnNode insn, Place one, Place other) throws AnalyzerException {
            return sized(sizes.binaryOperation(insn, null, null));
        }

        @Override
        public Place ternaryOperation(AbstractInsnNode insn, Place one, Place two, Place three) {
            return null;
        }

        @Override
        public Place naryOperation(AbstractInsnNode insn, List<? extends Place> values) throws AnalyzerException {
            return made(insn, sizes.naryOperation(insn, null));
        }

        private Place made(AbstractInsnNode insn, BasicValue value) {
            Integer source = sources.get(insn);
            return source == null ? sized(value) : new Place(1, 1L << source, false);
        }

        private Place sized(BasicValue value) {
            return value == null ? null : value.getSize() == 1 ? Place.OTHER : Place.WIDE;
        }

        @Override
        public void returnOperation(AbstractInsnNode insn, Place value, Place expected) {
            // Nothing to compute.
        }

        @Override
        public Place merge(Place one, Place other) {
            if (one.equals(other)) {
                return one;
            }
            // The verifier rejects any use of a value that is a long on one path and a reference, or nothing, on
            // another.
            boolean isUsable = one.getSize() == other.getSize() && !one.equals(Place.UNUSABLE) && !other.equals(Place.UNUSABLE);
            return isUsable ? new Place(one.getSize(), one.sources | other.sources, true) : Place.UNUSABLE;
        }
    }
}
