package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * The modelled calls of a method whose receiver is a plain collection or a buffer of characters that the method has made and that never escapes: no
 * other thread can reach the receiver, so the calls conflict with nothing and need no hook ({@code analysis-core/src/filter/temporary.rs} is the
 * specification).
 *
 * <p>A value has the set of <em>sources</em> (instructions {@code new}) that it can come from. What a call of such an object returns may be a view of
 * it, so it counts as the object, unless its type says that it is an element or a copy. A source escapes if a value that can come from it is stored,
 * returned, thrown, passed or captured, or its monitor is taken, anywhere in the method. If an object escapes after its uses, all of its calls keep
 * their hooks.
 *
 * <p>The analysis may miss an object that does not escape, if that depends on the path, or if the object is passed to a method that does not keep it.
 */
public final class OwnObjects {
    /** Classes of the platform whose methods hand their receiver, and views of it, to code of the program only by what they return. */
    private static final Set<String> CLASSES = Set.of("java/lang/StringBuilder", "java/lang/StringBuffer", "java/util/ArrayList", "java/util/LinkedList",
        "java/util/Vector", "java/util/Stack", "java/util/ArrayDeque", "java/util/PriorityQueue", "java/util/HashSet", "java/util/LinkedHashSet",
        "java/util/TreeSet", "java/util/BitSet", "java/util/HashMap", "java/util/LinkedHashMap", "java/util/TreeMap", "java/util/IdentityHashMap",
        "java/util/EnumMap", "java/util/Hashtable");
    /** Methods that ask an argument for its characters, and do not keep it. Their classes are final. */
    private static final Set<String> COPYING = Set.of("java/lang/StringBuilder.append", "java/lang/StringBuilder.insert", "java/lang/StringBuffer.append",
        "java/lang/StringBuffer.insert");
    private static final String TEXTS = "java/lang/StringBu";
    private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";
    /** Result types that are neither the receiver nor a view. Calls of an entry keep their hooks. */
    private static final Set<String> NO_VIEWS = Set.of("Ljava/lang/Object;", "Ljava/lang/String;");
    private static final String PLATFORM = "java/";
    /** One for each bit of a long. */
    private static final int MAX_SOURCES = 64;
    /** For tests, which compare the findings with and without. */
    private static final boolean IS_ON = !"false".equals(System.getProperty("regiontrack.test.temporaries"));

    private OwnObjects() {
    }

    /** Finds those calls; must be called before the method is changed. */
    public static Set<AbstractInsnNode> calls(String owner, MethodNode method) {
        Map<AbstractInsnNode, Integer> sources = IS_ON && hasCalls(method) ? sources(method) : Map.of();
        if (sources.isEmpty()) {
            return Set.of();
        }
        Flow flow = new Flow(sources);
        try {
            new Analyzer<>(flow).analyze(owner, method);
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it: with hooks everywhere nothing changes.
            return Set.of();
        }
        return flow.own();
    }

    private static boolean hasCalls(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn instanceof MethodInsnNode && isMeant((MethodInsnNode) insn)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A call that also acts on an argument keeps its hook, because the argument can be anybody's. One that copies characters has a hook for the
     * argument alone.
     */
    private static boolean isMeant(MethodInsnNode call) {
        return ModelledCalls.isOperation(call) && (ModelledCalls.position(call) < 0 || isCopying(call));
    }

    private static boolean isCopying(MethodInsnNode call) {
        return call.owner.startsWith(TEXTS) && COPYING.contains(call.owner + '.' + call.name);
    }

    private static Map<AbstractInsnNode, Integer> sources(MethodNode method) {
        Map<AbstractInsnNode, Integer> sources = new HashMap<>();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            boolean isOne = insn.getOpcode() == Opcodes.NEW && CLASSES.contains(((TypeInsnNode) insn).desc);
            if (isOne && sources.size() < MAX_SOURCES && ModelTable.hasModel(((TypeInsnNode) insn).desc.replace('/', '.'))) {
                sources.put(insn, sources.size());
            }
        }
        return sources;
    }

    /** Values of all types are equal, except those of sources. Null and values not yet set are {@link Place#UNUSABLE}: nothing can happen to them. */
    private static final class Flow extends Interpreter<Place> {
        private final BasicInterpreter sizes = new BasicInterpreter();
        private final Map<AbstractInsnNode, Integer> sources;
        private final Map<AbstractInsnNode, Place> receivers = new HashMap<>();
        /** A bit for each source that escapes. */
        private long left;

        Flow(Map<AbstractInsnNode, Integer> sources) {
            super(Opcodes.ASM9);
            this.sources = sources;
        }

        Set<AbstractInsnNode> own() {
            Set<AbstractInsnNode> result = new HashSet<>();
            for (Map.Entry<AbstractInsnNode, Place> entry : receivers.entrySet()) {
                Place receiver = entry.getValue();
                if (!receiver.isMixed && receiver.sources != 0 && (receiver.sources & left) == 0) {
                    result.add(entry.getKey());
                }
            }
            return result;
        }

        private void leave(Place value) {
            left |= value.sources;
        }

        @Override
        public Place newValue(Type type) {
            if (type == null) {
                return Place.UNUSABLE;
            }
            return type.getSize() == 0 ? null : type.getSize() == 1 ? Place.OTHER : Place.WIDE;
        }

        @Override
        public Place newOperation(AbstractInsnNode insn) throws AnalyzerException {
            Integer source = sources.get(insn);
            if (source != null) {
                return new Place(1, 1L << source, false);
            }
            return insn.getOpcode() == Opcodes.ACONST_NULL ? Place.UNUSABLE : sized(sizes.newOperation(insn));
        }

        @Override
        public Place copyOperation(AbstractInsnNode insn, Place value) {
            return value;
        }

        @Override
        public Place unaryOperation(AbstractInsnNode insn, Place value) throws AnalyzerException {
            switch (insn.getOpcode()) {
                case Opcodes.CHECKCAST:
                    return value;
                case Opcodes.PUTSTATIC: case Opcodes.ARETURN: case Opcodes.ATHROW: case Opcodes.MONITORENTER:
                    leave(value);
                    break;
                default:
            }
            return sized(sizes.unaryOperation(insn, null));
        }

        @Override
        public Place binaryOperation(AbstractInsnNode insn, Place one, Place two) throws AnalyzerException {
            if (insn.getOpcode() == Opcodes.PUTFIELD) {
                leave(two);
            }
            return sized(sizes.binaryOperation(insn, null, null));
        }

        @Override
        public Place ternaryOperation(AbstractInsnNode insn, Place one, Place two, Place three) {
            leave(three);
            return null;
        }

        @Override
        public Place naryOperation(AbstractInsnNode insn, List<? extends Place> values) throws AnalyzerException {
            if (insn instanceof MethodInsnNode) {
                return call((MethodInsnNode) insn, values);
            }
            boolean isConcatenation = insn instanceof InvokeDynamicInsnNode && ((InvokeDynamicInsnNode) insn).bsm.getOwner().equals(CONCATENATION);
            for (int i = 0; i < values.size() && !isConcatenation; i++) {
                leave(values.get(i));
            }
            return sized(sizes.naryOperation(insn, null));
        }

        private Place call(MethodInsnNode call, List<? extends Place> values) throws AnalyzerException {
            boolean isOfObject = call.getOpcode() != Opcodes.INVOKESTATIC;
            boolean staysReceiver = isOfObject && call.owner.startsWith(PLATFORM);
            boolean stayArguments = isCopying(call);
            for (int i = 0; i < values.size(); i++) {
                if (isOfObject && i == 0 ? !staysReceiver : !stayArguments) {
                    leave(values.get(i));
                }
            }
            if (isOfObject && isMeant(call)) {
                Place before = receivers.get(call);
                receivers.put(call, before == null ? values.get(0) : merge(before, values.get(0)));
            }
            String result = Type.getReturnType(call.desc).getDescriptor();
            boolean canBeView = staysReceiver && result.charAt(0) == 'L' && !NO_VIEWS.contains(result);
            // A view of null is null.
            return canBeView && values.get(0).sources != 0 ? values.get(0) : sized(sizes.naryOperation(call, null));
        }

        private static Place sized(BasicValue value) {
            return value == null ? null : value.getSize() == 1 ? Place.OTHER : Place.WIDE;
        }

        @Override
        public void returnOperation(AbstractInsnNode insn, Place value, Place expected) {
            // It has already escaped.
        }

        @Override
        public Place merge(Place one, Place other) {
            if (one.equals(other)) {
                return one;
            }
            // The verifier rejects any use of a value that is a long on one path and a reference on another.
            boolean isMixed = one.isMixed || other.isMixed || one.getSize() != other.getSize();
            return new Place(Math.min(one.getSize(), other.getSize()), one.sources | other.sources, isMixed);
        }
    }
}
