package dev.regiontrack.instrument.calls;

import dev.regiontrack.runtime.models.ModelTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * The fields from which a method loads the objects on which it calls operations of the library, for reports. A view (an iterator, the keys of
 * a map) counts as loaded from the field of its collection. Nothing is said of a value that can come from several fields or from elsewhere.
 */
final class ReceiverFields {
    /** Says nothing. */
    static final ReceiverFields NONE = new ReceiverFields(Map.of());

    private final Map<MethodInsnNode, BasicValue> receivers;

    private ReceiverFields(Map<MethodInsnNode, BasicValue> receivers) {
        this.receivers = receivers;
    }

    /** Those of a method of the class with this internal name. */
    static ReceiverFields of(String owner, MethodNode method) {
        if (!isNeeded(method)) {
            return NONE;
        }
        Flow flow = new Flow();
        try {
            new Analyzer<>(flow).analyze(owner, method);
        } catch (AnalyzerException e) {
            // The class file is unusual. Its calls have no fields in reports.
            return NONE;
        }
        return new ReceiverFields(flow.receivers);
    }

    private static boolean isNeeded(MethodNode method) {
        boolean hasField = false;
        boolean hasOperation = false;
        for (AbstractInsnNode insn : method.instructions) {
            hasField |= isLoad(insn);
            hasOperation |= insn instanceof MethodInsnNode && LibraryCalls.isOperation((MethodInsnNode) insn);
        }
        return hasField && hasOperation;
    }

    private static boolean isLoad(AbstractInsnNode insn) {
        return (insn.getOpcode() == Opcodes.GETFIELD || insn.getOpcode() == Opcodes.GETSTATIC) && ((FieldInsnNode) insn).desc.startsWith("L");
    }

    /** The field of a call's receiver, {@code com.example.Cache.map}; null if it is not known. */
    String of(MethodInsnNode call) {
        BasicValue receiver = receivers.get(call);
        return receiver instanceof Loaded ? ((Loaded) receiver).field : null;
    }

    /** A reference that was loaded from a field, or is a view of one that was. */
    private static final class Loaded extends BasicValue {
        private final String field;

        Loaded(FieldInsnNode load) {
            super(BasicValue.REFERENCE_VALUE.getType());
            field = load.owner.replace('/', '.') + '.' + load.name;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Loaded && field.equals(((Loaded) o).field);
        }

        @Override
        public int hashCode() {
            return field.hashCode();
        }
    }

    private static final class Flow extends BasicInterpreter {
        /** By call. An instruction that is analysed again has all values that it can have, merged, the last time. */
        final Map<MethodInsnNode, BasicValue> receivers = new HashMap<>();

        Flow() {
            super(Opcodes.ASM9);
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode insn) throws AnalyzerException {
            return isLoad(insn) ? new Loaded((FieldInsnNode) insn) : super.newOperation(insn);
        }

        @Override
        public BasicValue unaryOperation(AbstractInsnNode insn, BasicValue value) throws AnalyzerException {
            if (insn.getOpcode() == Opcodes.CHECKCAST) {
                return value;
            }
            return isLoad(insn) ? new Loaded((FieldInsnNode) insn) : super.unaryOperation(insn, value);
        }

        @Override
        public BasicValue naryOperation(AbstractInsnNode insn, List<? extends BasicValue> values) throws AnalyzerException {
            if (insn instanceof MethodInsnNode && LibraryCalls.isOperation((MethodInsnNode) insn)) {
                MethodInsnNode call = (MethodInsnNode) insn;
                receivers.put(call, values.get(0));
                if (ModelTable.canReturnView(call.name) && Type.getReturnType(call.desc).getSort() == Type.OBJECT) {
                    return values.get(0);
                }
            }
            return super.naryOperation(insn, values);
        }
    }
}
