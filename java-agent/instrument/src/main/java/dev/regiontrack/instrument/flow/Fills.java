package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Walk;
import dev.regiontrack.instrument.frames.Frames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The fields that a method fills at their first use, as in {@code if (hash == 0) { hash = computed(); } return hash;}. If the field already has the
 * value that the method is about to write, the write changes nothing. If the method finds a value that it would have computed itself, it acts as it
 * would have otherwise.
 *
 * <p>The field is one of {@code this}, or a static one of the class. The method fills it on every path on which it has found the default, unless
 * there is an exception, with a value that is not constant, as the last effect before the paths meet again: so a method that finds a value finds all
 * that belongs to it.
 */
public final class Fills {
    private static final Fills NONE = new Fills();
    private static final Set<String> VALUES = Set.of("I", "J", "S", "C", "B", "Ljava/lang/String;", "Ljava/lang/Class;", "Ljava/lang/Integer;", "Ljava/lang/Long;",
        "Ljava/lang/Short;", "Ljava/lang/Character;", "Ljava/lang/Byte;");
    private static final Set<String> WITHOUT = Set.of("Z", "F", "D");

    private final Set<AbstractInsnNode> found = new HashSet<>();
    private final Set<AbstractInsnNode> writes = new HashSet<>();

    private Fills() {
    }

    /** Finds those of a method; {@code accesses} are its accesses with hooks. */
    public static Fills of(ClassNode type, MethodNode method, Set<AbstractInsnNode> accesses) {
        if (method.name.startsWith("<") || !canHaveAny(type, accesses) || setsThis(method)) {
            return NONE;
        }
        Jumps jumps = new Jumps(method);
        return jumps.areKnown ? new Finder(type, method, accesses, jumps).find() : NONE;
    }

    /** Returns no fills. */
    public static Fills none() {
        return NONE;
    }

    /** Whether this is a read that is no event if it finds a value other than the default. */
    public boolean isUse(AbstractInsnNode read) {
        return found.contains(read);
    }

    /** Whether this is a write that is no event if the field already has that value. */
    public boolean isFill(AbstractInsnNode write) {
        return writes.contains(write);
    }

    /** Whether a field of the class is read, immediately compared with the default, and written, as far as the order of the code shows. */
    private static boolean canHaveAny(ClassNode type, Set<AbstractInsnNode> accesses) {
        List<FieldInsnNode> writes = new ArrayList<>();
        for (AbstractInsnNode insn : accesses) {
            boolean isWrite = insn.getOpcode() == Opcodes.PUTFIELD || insn.getOpcode() == Opcodes.PUTSTATIC;
            if (isWrite && ((FieldInsnNode) insn).owner.equals(type.name)) {
                writes.add((FieldInsnNode) insn);
            }
        }
        if (writes.isEmpty()) {
            return false;
        }
        for (AbstractInsnNode insn : accesses) {
            if (Purity.isFieldRead(insn) && isAny((FieldInsnNode) insn, writes) && check((FieldInsnNode) insn) != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAny(FieldInsnNode read, List<FieldInsnNode> writes) {
        for (int i = 0; i < writes.size(); i++) {
            if (isWriteOf(read, writes.get(i))) {
                return !WITHOUT.contains(read.desc);
            }
        }
        return false;
    }

    private static boolean isOf(FieldInsnNode field, AbstractInsnNode insn) {
        return insn instanceof FieldInsnNode && ((FieldInsnNode) insn).name.equals(field.name) && ((FieldInsnNode) insn).desc.equals(field.desc)
            && ((FieldInsnNode) insn).owner.equals(field.owner);
    }

    private static boolean isWriteOf(FieldInsnNode field, AbstractInsnNode insn) {
        return isOf(field, insn) && insn.getOpcode() == (field.getOpcode() == Opcodes.GETSTATIC ? Opcodes.PUTSTATIC : Opcodes.PUTFIELD);
    }

    /** Whether the first local of an instance method is overwritten later, as optimizers do. */
    private static boolean setsThis(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (Purity.isStore(insn) && ((VarInsnNode) insn).var == 0 && (method.access & Opcodes.ACC_STATIC) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the jump that immediately compares the value of a read with the default, whatever else leads to it; null if there is none. */
    private static AbstractInsnNode check(FieldInsnNode read) {
        AbstractInsnNode insn = Jumps.following(read);
        int copy = insn == null ? -1 : insn.getOpcode();
        if (copy == Opcodes.DUP || copy == Opcodes.DUP2) {
            insn = Jumps.following(insn);
            insn = insn != null && Purity.isStore(insn) ? Jumps.following(insn) : null;
        } else if (insn != null && Purity.isStore(insn)) {
            AbstractInsnNode store = insn;
            insn = Jumps.following(insn);
            boolean isSame = insn instanceof VarInsnNode && ((VarInsnNode) insn).var == ((VarInsnNode) store).var && !Purity.isStore(insn);
            insn = isSame ? Jumps.following(insn) : null;
        }
        if (read.desc.equals("J")) {
            insn = insn != null && insn.getOpcode() == Opcodes.LCONST_0 ? Jumps.following(insn) : null;
            insn = insn != null && insn.getOpcode() == Opcodes.LCMP ? Jumps.following(insn) : null;
        }
        return insn != null && (isDefaultJump(insn) || isOtherJump(insn)) ? insn : null;
    }

    private static boolean isDefaultJump(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.IFEQ || insn.getOpcode() == Opcodes.IFNULL;
    }

    private static boolean isOtherJump(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.IFNE || insn.getOpcode() == Opcodes.IFNONNULL;
    }

    /** Finds the fills of one method. */
    private static final class Finder {
        private final ClassNode type;
        private final MethodNode method;
        private final Set<AbstractInsnNode> accesses;
        private final Jumps jumps;
        private final MethodShape shape;
        private final Fills result = new Fills();
        private Frame<SourceValue>[] frames;

        Finder(ClassNode type, MethodNode method, Set<AbstractInsnNode> accesses, Jumps jumps) {
            this.type = type;
            this.method = method;
            this.accesses = accesses;
            this.jumps = jumps;
            shape = new MethodShape(type.name, method);
        }

        Fills find() {
            for (int i = 0; i < jumps.size(); i++) {
                if (isOwnRead(jumps.at(i)) && !WITHOUT.contains(((FieldInsnNode) jumps.at(i)).desc)) {
                    AbstractInsnNode check = check((FieldInsnNode) jumps.at(i));
                    if (check != null && !isEntered(i, check)) {
                        find(i, method.instructions.indexOf(check));
                    }
                }
            }
            return result;
        }

        /** Whether this is a read of a static field of the class, or of a field of {@code this}. */
        private boolean isOwnRead(AbstractInsnNode insn) {
            if (!Purity.isFieldRead(insn) || !accesses.contains(insn) || !((FieldInsnNode) insn).owner.equals(type.name)) {
                return false;
            }
            AbstractInsnNode operand = insn.getPrevious();
            return insn.getOpcode() == Opcodes.GETSTATIC || operand != null && operand.getOpcode() == Opcodes.ALOAD && isThis((VarInsnNode) operand);
        }

        private boolean isThis(VarInsnNode insn) {
            return insn.var == 0 && (method.access & Opcodes.ACC_STATIC) == 0;
        }

        /** Whether something else leads to between a read and the jump that compares its value. */
        private boolean isEntered(int read, AbstractInsnNode check) {
            for (int i = read; jumps.at(i) != check; i++) {
                if (jumps.at(i) instanceof LabelNode && shape.isTarget((LabelNode) jumps.at(i))) {
                    return true;
                }
            }
            return false;
        }

        private void find(int read, int check) {
            int jump = jumps.real(jumps.next(check)[0]);
            int on = jumps.real(jumps.next(check)[1]);
            boolean isDefault = isDefaultJump(jumps.at(check));
            int other = isDefault ? on : jump;
            FieldInsnNode field = (FieldInsnNode) jumps.at(read);
            BitSet fill = new BitSet();
            BitSet filling = fillsAlways(isDefault ? jump : on, other, field, fill);
            boolean isOnly = filling != null && !fill.isEmpty();
            // What needs no sources of values comes first.
            for (int i = fill.nextSetBit(0); isOnly && i >= 0; i = fill.nextSetBit(i + 1)) {
                isOnly = isLast(i, other, field);
            }
            for (int i = isOnly ? filling.nextSetBit(0) : -1; isOnly && i >= 0; i = filling.nextSetBit(i + 1)) {
                isOnly = !counts(i, filling);
            }
            for (int i = fill.nextSetBit(0); isOnly && i >= 0; i = fill.nextSetBit(i + 1)) {
                isOnly = isFill(i);
            }
            if (!isOnly) {
                return;
            }
            for (int i = fill.nextSetBit(0); i >= 0; i = fill.nextSetBit(i + 1)) {
                result.writes.add(jumps.at(i));
            }
            if (VALUES.contains(field.desc) && isFilledAlone(field) && !usesOthers(filling)) {
                List<AbstractInsnNode> later = later(check, other, field, fill);
                if (areAll(field, later)) {
                    result.found.add(field);
                    result.found.addAll(later);
                }
            }
        }

        /**
         * Whether a value in the field can only come from this method's computation, or from a constructor: the field is private, and no other method
         * writes anything but the default. A setter's value is not one that the method would have computed itself.
         */
        private boolean isFilledAlone(FieldInsnNode field) {
            boolean isPrivate = false;
            for (FieldNode own : type.fields) {
                isPrivate |= own.name.equals(field.name) && own.desc.equals(field.desc) && (own.access & Opcodes.ACC_PRIVATE) != 0;
            }
            for (MethodNode other : type.methods) {
                if (!isPrivate || other != method && !other.name.startsWith("<") && !clearsAtMost(other, field)) {
                    return false;
                }
            }
            return isPrivate;
        }

        private boolean clearsAtMost(MethodNode other, FieldInsnNode field) {
            for (AbstractInsnNode insn : other.instructions) {
                if (isWriteOf(field, insn) && !isDefault(insn.getPrevious())) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isDefault(AbstractInsnNode value) {
            int op = value == null ? Opcodes.NOP : value.getOpcode();
            return op == Opcodes.ACONST_NULL || op == Opcodes.ICONST_0 || op == Opcodes.LCONST_0;
        }

        /**
         * Whether the method reads the field only by the check and these. What another read has found can be older than the value that the check
         * finds, and be used with it: {@code int result = hash; if (hash == 0) { hash = result = computed(); } return result;} returns 0 if it is
         * filled in between.
         */
        private boolean areAll(FieldInsnNode check, List<AbstractInsnNode> later) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn != check && isOf(check, insn) && Purity.isFieldRead(insn) && !later.contains(insn)) {
                    return false;
                }
            }
            return true;
        }

        /**
         * Returns the instructions from where the default was found until the field is written, by the instructions in {@code fill}; null if a path
         * avoids these. A handler that catches an exception there fills the field, too, or throws.
         */
        private BitSet fillsAlways(int from, int other, FieldInsnNode field, BitSet fill) {
            BitSet passed = new BitSet();
            BitSet seen = new BitSet();
            Deque<Integer> starts = new ArrayDeque<>(List.of(from));
            while (!starts.isEmpty()) {
                Walk walk = jumps.walk(starts.pop(), seen);
                for (int i = walk.next(); i >= 0; i = walk.next()) {
                    AbstractInsnNode insn = jumps.at(i);
                    for (int handler : jumps.handlers(i)) {
                        starts.push(handler);
                    }
                    if (isWriteOf(field, insn) && accesses.contains(insn)) {
                        fill.set(i);
                        continue;
                    }
                    passed.set(i);
                    if (i == other || Callees.isReturn(insn)) {
                        return null;
                    }
                    walk.goOn();
                }
                if (walk.hasLeft()) {
                    return null;
                }
            }
            return passed;
        }

        /**
         * Whether this is a write of something else that is more than a second fill: of an element, of another object, or of a field that the method
         * also reads, like a counter. Each thread that finds the default makes such a write. What the method has made there itself is invisible to
         * others.
         */
        private boolean counts(int i, BitSet filling) {
            AbstractInsnNode insn = jumps.at(i);
            int op = insn.getOpcode();
            boolean isOfField = op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC;
            boolean isWrite = isOfField || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE;
            if (!isWrite || !accesses.contains(insn)) {
                return false;
            }
            if (op != Opcodes.PUTSTATIC && (!sources() || frames[i] == null)) {
                return true;
            }
            if (op != Opcodes.PUTSTATIC && isMade(isOfField ? receiver(i) : array(i), filling)) {
                return false;
            }
            boolean isOwn = isOfField && ((FieldInsnNode) insn).owner.equals(type.name) && (op == Opcodes.PUTSTATIC || isThis(receiver(i)));
            return !isOwn || reads((FieldInsnNode) insn);
        }

        private SourceValue array(int store) {
            return frames[store].getStack(frames[store].getStackSize() - 3);
        }

        private boolean reads(FieldInsnNode field) {
            for (AbstractInsnNode insn : method.instructions) {
                if (Purity.isFieldRead(insn) && isOf(field, insn)) {
                    return true;
                }
            }
            return false;
        }

        /** Whether a value can only be an object or array that these instructions have made. */
        private boolean isMade(SourceValue value, BitSet filling) {
            Set<AbstractInsnNode> origins = origins(value);
            for (AbstractInsnNode origin : origins) {
                if (!isMaker(origin.getOpcode()) || !filling.get(method.instructions.indexOf(origin))) {
                    return false;
                }
            }
            return !origins.isEmpty();
        }

        private static boolean isMaker(int op) {
            return op == Opcodes.NEW || op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY || op == Opcodes.MULTIANEWARRAY;
        }

        /** Whether only this write has an effect from there on, until the method returns, or gets to where it would be with a value. */
        private boolean isLast(int write, int other, FieldInsnNode field) {
            Walk walk = jumps.walk(write + 1);
            for (int i = walk.next(); i >= 0; i = walk.next()) {
                AbstractInsnNode insn = jumps.at(i);
                int op = insn.getOpcode();
                if (i == other || Callees.isReturn(insn)) {
                    continue;
                }
                if (!Purity.isComputation(op) && !(insn instanceof VarInsnNode) && op != Opcodes.LDC && !(Purity.isFieldRead(insn) && isOf(field, insn))) {
                    return false;
                }
                walk.goOn();
            }
            return !walk.hasLeft();
        }

        /** Computes the sources of the values; returns false if they are unknown. */
        private boolean sources() {
            if (frames == null) {
                try {
                    frames = new Analyzer<>(new SourceInterpreter()).analyze(type.name, method);
                } catch (AnalyzerException e) {
                    // The verifier will reject the code, or does not check it: every access keeps its hook.
                    return false;
                }
            }
            return true;
        }

        /** Whether the field of {@code this}, or a static one, gets a computed value. */
        private boolean isFill(int write) {
            if (!sources()) {
                return false;
            }
            Frame<SourceValue> frame = frames[write];
            if (frame == null) {
                return false;
            }
            int top = frame.getStackSize() - 1;
            // The hook loads the object once more.
            boolean isOwn = jumps.at(write).getOpcode() == Opcodes.PUTSTATIC || isThis(receiver(write)) && Frames.knowFirst(jumps.at(write));
            return isOwn && isComputed(frame.getStack(top));
        }

        /**
         * Returns the object of a write. Right before the write, a copy of the value can be put below both, as in
         * {@code return name = computed()}.
         */
        private SourceValue receiver(int write) {
            AbstractInsnNode before = jumps.at(write).getPrevious();
            boolean isCopied = before != null && (before.getOpcode() == Opcodes.DUP_X1 || before.getOpcode() == Opcodes.DUP2_X1);
            Frame<SourceValue> frame = frames[isCopied ? write - 1 : write];
            return frame.getStack(frame.getStackSize() - 2);
        }

        private boolean isThis(SourceValue value) {
            AbstractInsnNode insn = value.insns.size() == 1 ? value.insns.iterator().next() : null;
            return insn != null && insn.getOpcode() == Opcodes.ALOAD && isThis((VarInsnNode) insn);
        }

        /** Whether a value can be other than a constant or an argument of the method. */
        private boolean isComputed(SourceValue value) {
            for (AbstractInsnNode origin : origins(value)) {
                int op = origin.getOpcode();
                if (op > Opcodes.LDC && op != Opcodes.GETSTATIC && !(op >= Opcodes.ILOAD && op <= Opcodes.ALOAD)) {
                    return true;
                }
            }
            return false;
        }

        /** Returns the instructions that produce a value, behind copies of it; a load is one only for a local that can have an argument. */
        private Set<AbstractInsnNode> origins(SourceValue value) {
            Set<AbstractInsnNode> result = new HashSet<>();
            addOrigins(value, new HashSet<>(), result);
            return result;
        }

        private void addOrigins(SourceValue value, Set<AbstractInsnNode> seen, Set<AbstractInsnNode> to) {
            for (AbstractInsnNode insn : value.insns) {
                Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
                if (!seen.add(insn) || frame == null) {
                    continue;
                }
                int op = insn.getOpcode();
                boolean isLoad = insn instanceof VarInsnNode && !Purity.isStore(insn);
                if (isLoad && ((VarInsnNode) insn).var < parameters()) {
                    to.add(insn);
                }
                if (isLoad) {
                    addOrigins(frame.getLocal(((VarInsnNode) insn).var), seen, to);
                } else if (Purity.isStore(insn) || op == Opcodes.CHECKCAST || op >= Opcodes.DUP && op <= Opcodes.DUP2_X2) {
                    addOrigins(frame.getStack(frame.getStackSize() - 1), seen, to);
                } else {
                    to.add(insn);
                }
            }
        }

        /** Returns how many locals have arguments, including {@code this}. */
        private int parameters() {
            return (Type.getArgumentsAndReturnSizes(method.desc) >> 2) - ((method.access & Opcodes.ACC_STATIC) != 0 ? 1 : 0);
        }

        /** Whether what is computed there depends on a local of the method from before. */
        private boolean usesOthers(BitSet filling) {
            Set<Integer> own = new HashSet<>();
            List<Integer> loaded = new ArrayList<>();
            for (int i = filling.nextSetBit(0); i >= 0; i = filling.nextSetBit(i + 1)) {
                AbstractInsnNode insn = jumps.at(i);
                if (Purity.isStore(insn)) {
                    own.add(((VarInsnNode) insn).var);
                } else if (insn instanceof VarInsnNode && !isThis((VarInsnNode) insn)) {
                    loaded.add(((VarInsnNode) insn).var);
                }
            }
            return !own.containsAll(loaded);
        }

        /** Returns the later reads of the field: on every path there, the method has found a value, or has written one. */
        private List<AbstractInsnNode> later(int check, int other, FieldInsnNode field, BitSet fill) {
            BitSet without = new BitSet();
            without.set(0);
            for (TryCatchBlockNode block : method.tryCatchBlocks) {
                without.set(jumps.number(block.handler));
            }
            for (boolean isDone = false; !isDone;) {
                int size = without.cardinality();
                for (int i = without.nextSetBit(0); i >= 0; i = without.nextSetBit(i + 1)) {
                    if (fill.get(i)) {
                        continue;
                    }
                    for (int next : jumps.next(i)) {
                        without.set(next, i != check || jumps.real(next) != other || without.get(next));
                    }
                }
                isDone = without.cardinality() == size;
            }
            List<AbstractInsnNode> reads = new ArrayList<>();
            for (int i = 0; i < jumps.size(); i++) {
                if (!without.get(i) && isOf(field, jumps.at(i)) && isOwnRead(jumps.at(i))) {
                    reads.add(jumps.at(i));
                }
            }
            return reads;
        }
    }
}
