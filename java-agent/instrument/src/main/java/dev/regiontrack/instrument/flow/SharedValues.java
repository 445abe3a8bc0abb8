package dev.regiontrack.instrument.flow;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Finds which values of a method follow from which of its reads of shared memory, and which are the same at several places. */
final class SharedValues extends Interpreter<SharedValue> {
    /** The name of null. */
    static final String NULL = "#null";
    static final String ZERO = "#0";
    private static final Pattern NUMBER = Pattern.compile("#-?[0-9]+");
    /** Begins the names of results of instructions that are executed at most once. */
    static final char ONCE = 'i';

    private final BasicInterpreter sizes = new BasicInterpreter();
    private final Map<AbstractInsnNode, Integer> reads = new HashMap<>();
    private final Accesses accesses;
    private final Map<AbstractInsnNode, String> once;
    /** The first instructions that make objects, at most as many as there are bits. */
    private final Map<AbstractInsnNode, Integer> makers = new HashMap<>();

    /** {@code accesses} tell which fields do not change; {@code once} has the instructions that are executed at most once in a call, and a name for each. */
    SharedValues(Accesses accesses, Map<AbstractInsnNode, String> once, List<AbstractInsnNode> reads) {
        super(Opcodes.ASM9);
        this.accesses = accesses;
        this.once = once;
        for (AbstractInsnNode read : reads) {
            this.reads.put(read, this.reads.size());
        }
    }

    /** Returns a bit for an instruction that makes the object that it pushes, which no one else has; 0 for another one, or if there are too many. */
    long maker(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        boolean isCopy = insn instanceof MethodInsnNode && Harmless.isCopy((MethodInsnNode) insn);
        boolean isMade = op == Opcodes.NEW || op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY || isCopy;
        if (!isMade || makers.size() == Long.SIZE && !makers.containsKey(insn)) {
            return 0;
        }
        makers.putIfAbsent(insn, makers.size());
        return 1L << makers.get(insn);
    }

    /** Returns the name of the result of an instruction that is executed at most once; otherwise null. */
    String once(AbstractInsnNode insn) {
        return once.get(insn);
    }

    /** Whether this is the name of what an instruction has returned that is executed at most once. */
    static boolean isResult(String name) {
        return name.charAt(0) == ONCE;
    }

    /** Returns the name of a number. */
    static String name(long number) {
        return "#" + number;
    }

    /** Returns the number with this name; null if it is not one's. */
    static Long number(String name) {
        return NUMBER.matcher(name).matches() ? Long.valueOf(name.substring(1)) : null;
    }

    /** Returns the number of a read, or -1. */
    int number(AbstractInsnNode insn) {
        return reads.getOrDefault(insn, -1);
    }

    @Override
    public SharedValue newValue(Type type) {
        return type == null ? new SharedValue(1, null, 0, 0) : type.getSize() == 0 ? null : new SharedValue(type.getSize(), null, 0, 0);
    }

    @Override
    public SharedValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
        return new SharedValue(type.getSize(), isInstanceMethod && local == 0 ? Variables.THIS : "p" + local, 0, 0);
    }

    @Override
    public SharedValue newOperation(AbstractInsnNode insn) throws AnalyzerException {
        int size = sizes.newOperation(insn).getSize();
        int read = number(insn);
        if (read >= 0) {
            return new SharedValue(size, once.get(insn), 1L << read, 1L << read);
        }
        return new SharedValue(size, nameOf(insn), 0, 0, maker(insn), maker(insn) != 0);
    }

    private String nameOf(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        if (op == Opcodes.GETSTATIC) {
            return accesses.isConstant((FieldInsnNode) insn) ? "s" + ((FieldInsnNode) insn).name : once.get(insn);
        }
        if (op >= Opcodes.ICONST_M1 && op <= Opcodes.ICONST_5) {
            return "#" + (op - Opcodes.ICONST_0);
        }
        if (insn instanceof IntInsnNode) {
            return "#" + ((IntInsnNode) insn).operand;
        }
        if (op == Opcodes.ACONST_NULL) {
            return NULL;
        }
        if (op == Opcodes.LCONST_0 || op == Opcodes.LCONST_1) {
            return "#" + (op - Opcodes.LCONST_0);
        }
        Object constant = insn instanceof LdcInsnNode ? ((LdcInsnNode) insn).cst : null;
        return constant instanceof Integer || constant instanceof Long ? "#" + constant : constant instanceof String ? "#\"" + constant : constant instanceof Type ? "s" + constant : null;
    }

    @Override
    public SharedValue copyOperation(AbstractInsnNode insn, SharedValue value) {
        return value;
    }

    @Override
    public SharedValue unaryOperation(AbstractInsnNode insn, SharedValue value) throws AnalyzerException {
        if (insn.getOpcode() == Opcodes.CHECKCAST) {
            return value;
        }
        BasicValue result = sizes.unaryOperation(insn, null);
        int read = number(insn);
        if (read >= 0) {
            return new SharedValue(result.getSize(), once.get(insn), 1L << read, value.from | 1L << read);
        }
        if (insn.getOpcode() == Opcodes.GETFIELD && value.name != null && accesses.isConstant((FieldInsnNode) insn)) {
            return new SharedValue(result.getSize(), value.name + '.' + ((FieldInsnNode) insn).name, 0, value.from);
        }
        return result == null ? null : new SharedValue(result.getSize(), once.get(insn), 0, value.from, maker(insn), maker(insn) != 0);
    }

    @Override
    public SharedValue binaryOperation(AbstractInsnNode insn, SharedValue one, SharedValue two) throws AnalyzerException {
        return derived(sizes.binaryOperation(insn, null, null), one.from | two.from);
    }

    @Override
    public SharedValue ternaryOperation(AbstractInsnNode insn, SharedValue one, SharedValue two, SharedValue three) {
        return null;
    }

    @Override
    public SharedValue naryOperation(AbstractInsnNode insn, List<? extends SharedValue> values) throws AnalyzerException {
        long from = 0;
        for (SharedValue value : values) {
            from |= value.from;
        }
        BasicValue result = sizes.naryOperation(insn, null);
        int read = number(insn);
        if (read >= 0 && result != null) {
            return new SharedValue(result.getSize(), once.get(insn), 1L << read, from | 1L << read);
        }
        boolean isBox = insn instanceof MethodInsnNode && Purity.isBox((MethodInsnNode) insn) && values.get(0).name != null;
        return result == null ? null : new SharedValue(result.getSize(), isBox ? values.get(0).name + '^' : once.get(insn), 0, from, maker(insn), maker(insn) != 0);
    }

    private static SharedValue derived(BasicValue result, long from) {
        return result == null ? null : new SharedValue(result.getSize(), null, 0, from);
    }

    @Override
    public void returnOperation(AbstractInsnNode insn, SharedValue value, SharedValue expected) {
        // Nothing follows.
    }

    @Override
    public SharedValue merge(SharedValue one, SharedValue other) {
        if (one.equals(other)) {
            return one;
        }
        String name = one.name != null && one.name.equals(other.name) ? one.name : null;
        long unchanged = one.unchanged == 0 || other.unchanged == 0 ? 0 : one.unchanged | other.unchanged;
        return new SharedValue(Math.min(one.getSize(), other.getSize()), name, unchanged, one.from | other.from, one.made | other.made, one.isMade && other.isMade);
    }
}
