package dev.regiontrack.instrument.profile;

import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.selection.Handing;
import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.instrument.selection.ReferenceBody;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * The origins of the references on which a method's places act: arrays whose elements it accesses, monitors that it enters, library objects that it
 * calls. Reports name the field of such an object, and a profile distinguishes places by origins.
 *
 * <p>An origin that is a field, {@code com.example.Cache.map}, or the class of {@code this} is the same in all methods; others belong to the method:
 * {@code com.example.Cache.get(I)V:1} is what local variable 1 has at entry, {@code :new} what the method makes, {@code :call java.util.Map.get} what
 * a call returns, and {@code :other} what can come from several of these. Elements of an array have its origin with {@code []}. A view (an iterator,
 * the keys of a map) has the origin of its collection.
 */
public final class Origins {
    /** Origins were not determined, because none of them matters. */
    static final Origins UNKNOWN = new Origins("", null, Map.of(), Map.of(), Set.of());

    private final Map<AbstractInsnNode, BasicValue> values;
    /** For calls that also act on an argument: that argument's value. */
    private final Map<AbstractInsnNode, BasicValue> passed;
    private final Set<String> leaving;
    /** The internal name of the method's class. */
    private final String owner;
    /** Null if origins were not determined. */
    private final MethodNode method;

    private Origins(String owner, MethodNode method, Map<AbstractInsnNode, BasicValue> values, Map<AbstractInsnNode, BasicValue> passed, Set<String> leaving) {
        this.owner = owner;
        this.method = method;
        this.values = values;
        this.passed = passed;
        this.leaving = leaving;
    }

    /** Returns the origins of a method of the class with this internal name; {@code all}, or only fields of the receivers of calls. */
    public static Origins of(String owner, MethodNode method, boolean all) {
        if (!isNeeded(method, all)) {
            return new Origins(owner, method, Map.of(), Map.of(), Set.of());
        }
        Origins near = all || !Frames.showJumps(method) ? null : near(owner, method);
        if (near != null) {
            return near;
        }
        Flow flow = new Flow(owner, method(owner.replace('/', '.'), method), all);
        try {
            new Analyzer<>(flow).analyze(owner, method);
        } catch (AnalyzerException e) {
            // The class file is unusual. Nothing is known of its places except the method.
            return new Origins(owner, method, Map.of(), Map.of(), Set.of());
        }
        return new Origins(owner, method, flow.values, flow.passed, flow.leaving);
    }

    /** Returns the fields, if the code before each call shows the field; otherwise null. */
    private static Origins near(String owner, MethodNode method) {
        Map<AbstractInsnNode, BasicValue> values = new HashMap<>();
        Map<AbstractInsnNode, BasicValue> passed = new HashMap<>();
        Pushes pushes = new Pushes(method);
        for (AbstractInsnNode insn : method.instructions) {
            Operands of = insn instanceof MethodInsnNode ? Operands.of((MethodInsnNode) insn) : null;
            if (of != null) {
                MethodInsnNode call = (MethodInsnNode) insn;
                boolean isKnown = put(values, call, pushes.operand(call, of.first)) && (of.second < 0 || put(passed, call, pushes.operand(call, of.second)));
                if (!isKnown) {
                    return null;
                }
            }
        }
        return new Origins(owner, method, values, passed, Set.of());
    }

    /** The operands on which a call acts. */
    private static final class Operands {
        private static final int RECEIVER = -1;
        /** The position of an argument, or that of the receiver. */
        final int first;
        /** The position of the argument on which the call also acts; below 0 if there is none. */
        final int second;

        private Operands(int first, int second) {
            this.first = first;
            this.second = second;
        }

        /** Returns null if the call acts on nothing that can have a model. */
        static Operands of(MethodInsnNode call) {
            ModelTable.Argument argument = ModelledCalls.argument(call);
            if (argument != null) {
                return new Operands(argument.position, ModelledCalls.isOfTwo(call) ? 1 : -1);
            }
            return isCall(call) ? new Operands(RECEIVER, ModelledCalls.position(call)) : null;
        }

        /** Returns the operand of a call at a position, among all that it takes from the stack. */
        static BasicValue at(int position, MethodInsnNode call, List<? extends BasicValue> operands) {
            return operands.get(call.getOpcode() == Opcodes.INVOKESTATIC ? position : position + 1);
        }
    }

    /** Returns false if it is unknown what has pushed the value. */
    private static boolean put(Map<AbstractInsnNode, BasicValue> values, MethodInsnNode call, AbstractInsnNode push) {
        if (push instanceof FieldInsnNode) {
            values.put(call, field(push));
        }
        return push != Pushes.UNKNOWN;
    }

    /** Whether a call returns a view of its receiver. */
    static boolean isView(MethodInsnNode call) {
        return ModelledCalls.isOperation(call) && ModelTable.canReturnView(call.name) && Type.getReturnType(call.desc).getDescriptor().charAt(0) == 'L'
            && ModelledCalls.argument(call) == null;
    }

    private static From field(AbstractInsnNode insn) {
        FieldInsnNode load = (FieldInsnNode) insn;
        return new From(load.owner.replace('/', '.') + '.' + load.name, true);
    }

    /** Returns the profile's name of a method of the class with this name. */
    static String method(String type, MethodNode method) {
        ReferenceBody body = method instanceof ReferenceBody ? (ReferenceBody) method : null;
        return type + '.' + (body == null ? method.name + method.desc : body.within + body.withinDesc);
    }

    private static boolean isNeeded(MethodNode method, boolean all) {
        boolean hasField = all;
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null && !hasField; insn = insn.getNext()) {
            hasField = isLoad(insn);
        }
        for (AbstractInsnNode insn = hasField ? method.instructions.getFirst() : null; insn != null; insn = insn.getNext()) {
            boolean isPlace = insn instanceof MethodInsnNode ? isCall(insn) || ModelledCalls.argument((MethodInsnNode) insn) != null
                : all && (isElement(insn) || insn.getOpcode() == Opcodes.MONITORENTER);
            if (isPlace) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCall(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode)) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return ModelledCalls.canBeOperation(call) || call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>") && Handing.of(call) != 0;
    }

    private static boolean isElement(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        return op >= Opcodes.IALOAD && op <= Opcodes.SALOAD || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE;
    }

    private static boolean isLoad(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.GETFIELD || insn.getOpcode() == Opcodes.GETSTATIC;
    }

    /** Returns the origin of the array, the monitor or the receiver at an instruction. */
    String at(AbstractInsnNode insn) {
        return text(values.get(insn));
    }

    /** Returns the origin of the argument on which a call acts in addition to its receiver. */
    String atArgument(MethodInsnNode call) {
        return text(passed.get(call));
    }

    private String text(BasicValue value) {
        return value instanceof From ? ((From) value).text : (method == null ? "" : method(owner.replace('/', '.'), method)) + ":other";
    }

    /** Whether views of a call's receiver leave the method, so that other methods use them by other origins. */
    boolean viewsLeave(MethodInsnNode call) {
        BasicValue receiver = values.get(call);
        return !(receiver instanceof From) || leaving.contains(((From) receiver).text);
    }

    /** Returns the field of a call's receiver, or of its argument if the call acts on that, {@code com.example.Cache.map}; null if it is unknown. */
    public String fieldOf(MethodInsnNode call) {
        return field(values.get(call));
    }

    /** Returns the field of the argument on which a call acts in addition to its receiver; null if it is unknown. */
    public String fieldOfArgument(MethodInsnNode call) {
        return field(passed.get(call));
    }

    private static String field(BasicValue value) {
        return value instanceof From && ((From) value).isField ? ((From) value).text : null;
    }

    /** A reference with a known origin. */
    private static final class From extends BasicValue {
        final String text;
        final boolean isField;
        /** Whether it may be a view of what comes from there. */
        final boolean isView;

        From(String text, boolean isField) {
            this(text, isField, false);
        }

        private From(String text, boolean isField, boolean isView) {
            super(BasicValue.REFERENCE_VALUE.getType());
            this.text = text;
            this.isField = isField;
            this.isView = isView;
        }

        From view() {
            return new From(text, isField, true);
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof From && text.equals(((From) o).text) && isView == ((From) o).isView;
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    private static final class Flow extends BasicInterpreter {
        /** By instruction. If one is analysed repeatedly, the last time has all values that it can have, merged. */
        final Map<AbstractInsnNode, BasicValue> values = new HashMap<>();
        final Map<AbstractInsnNode, BasicValue> passed = new HashMap<>();
        /** Origins of views that are stored, returned, or passed to calls. */
        final Set<String> leaving = new HashSet<>();
        private final String type;
        private final String method;
        /** Whether origins other than fields matter: their names are long, and there are many. */
        private final boolean all;

        Flow(String owner, String method, boolean all) {
            super(Opcodes.ASM9);
            this.all = all;
            type = owner.replace('/', '.');
            this.method = method;
        }

        /** Returns the origin with this name in the method: its parts, of which the last can be a class's. */
        private BasicValue local(String text, String more) {
            return all ? new From(method + ':' + text + more.replace('/', '.'), false) : BasicValue.REFERENCE_VALUE;
        }

        private void leaves(BasicValue value) {
            if (value instanceof From && ((From) value).isView) {
                leaving.add(((From) value).text);
            }
        }

        @Override
        public BasicValue merge(BasicValue one, BasicValue two) {
            boolean isAlike = one instanceof From && two instanceof From && ((From) one).text.equals(((From) two).text);
            return isAlike ? ((From) one).isView ? one : two : super.merge(one, two);
        }

        private static boolean isReference(String desc) {
            return desc.charAt(0) == 'L' || desc.charAt(0) == '[';
        }

        @Override
        public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type of) {
            if (isInstanceMethod && local == 0) {
                return new From(type, false);
            }
            return isReference(of.getDescriptor()) ? local("", Integer.toString(local)) : super.newParameterValue(isInstanceMethod, local, of);
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode insn) throws AnalyzerException {
            switch (insn.getOpcode()) {
                case Opcodes.GETSTATIC:
                    return isReference(((FieldInsnNode) insn).desc) ? field(insn) : super.newOperation(insn);
                case Opcodes.NEW:
                    return local("new ", ((TypeInsnNode) insn).desc);
                case Opcodes.LDC:
                    Object constant = ((LdcInsnNode) insn).cst;
                    return constant instanceof Type && ((Type) constant).getSort() == Type.OBJECT ? new From(((Type) constant).getClassName() + ".class", false)
                        : super.newOperation(insn);
                default:
                    return super.newOperation(insn);
            }
        }

        @Override
        public BasicValue unaryOperation(AbstractInsnNode insn, BasicValue value) throws AnalyzerException {
            switch (insn.getOpcode()) {
                case Opcodes.CHECKCAST:
                    return value;
                case Opcodes.GETFIELD:
                    return isReference(((FieldInsnNode) insn).desc) ? field(insn) : super.unaryOperation(insn, value);
                case Opcodes.NEWARRAY: case Opcodes.ANEWARRAY:
                    return local("new []", "");
                case Opcodes.MONITORENTER: case Opcodes.MONITOREXIT:
                    values.put(insn, value);
                    return super.unaryOperation(insn, value);
                case Opcodes.PUTSTATIC: case Opcodes.ARETURN:
                    leaves(value);
                    return super.unaryOperation(insn, value);
                default:
                    return super.unaryOperation(insn, value);
            }
        }

        @Override
        public BasicValue binaryOperation(AbstractInsnNode insn, BasicValue one, BasicValue two) throws AnalyzerException {
            if (isElement(insn)) {
                values.put(insn, one);
            } else if (insn.getOpcode() == Opcodes.PUTFIELD) {
                leaves(two);
            }
            boolean isElement = insn.getOpcode() == Opcodes.AALOAD && one instanceof From;
            return isElement ? new From(((From) one).text + "[]", false) : super.binaryOperation(insn, one, two);
        }

        @Override
        public BasicValue ternaryOperation(AbstractInsnNode insn, BasicValue one, BasicValue two, BasicValue three) throws AnalyzerException {
            values.put(insn, one);
            leaves(three);
            return super.ternaryOperation(insn, one, two, three);
        }

        @Override
        public BasicValue naryOperation(AbstractInsnNode insn, List<? extends BasicValue> operands) throws AnalyzerException {
            for (BasicValue operand : operands.subList(insn instanceof MethodInsnNode && isCall(insn) ? 1 : 0, operands.size())) {
                leaves(operand);
            }
            if (!(insn instanceof MethodInsnNode)) {
                return insn.getOpcode() == Opcodes.MULTIANEWARRAY ? local("new []", "") : super.naryOperation(insn, operands);
            }
            MethodInsnNode call = (MethodInsnNode) insn;
            String result = Type.getReturnType(call.desc).getDescriptor();
            Operands on = Operands.of(call);
            if (on != null) {
                values.put(call, Operands.at(on.first, call, operands));
                if (on.second >= 0) {
                    passed.put(call, Operands.at(on.second, call, operands));
                }
                if (isView(call)) {
                    BasicValue of = operands.get(0);
                    return of instanceof From ? ((From) of).view() : of;
                }
            }
            return !isReference(result) ? super.naryOperation(insn, operands) : all ? local("call ", call.owner + '.' + call.name) : BasicValue.REFERENCE_VALUE;
        }
    }
}
