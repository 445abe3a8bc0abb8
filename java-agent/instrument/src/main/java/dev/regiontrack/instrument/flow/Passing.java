package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Finds which arguments of a call escape the method that passes them.
 *
 * <p>All do, except arrays passed to a platform method that is known not to hand them on, or to a method of the same class that cannot be
 * overridden and whose code does not let them escape either. For other calls, the callee is examined at run time ({@link ClassInfo}).
 */
public final class Passing {
    private static final int[] NONE = {};
    /**
     * Methods of the platform that, in every overload, never hand an array argument on to code of the program: they only look at it, or
     * keep it where only the platform reads it, as {@code Arrays.asList} does. What the platform does to an array has no hook in any
     * case. Arguments of other types can escape.
     */
    private static final Set<String> HAND_ON_NO_ARRAY = Set.of(
        "java/lang/System.arraycopy", "java/lang/String.format", "java/lang/String.formatted", "java/lang/String.join", "java/lang/String.valueOf",
        "java/lang/StringBuilder.append", "java/lang/reflect/Constructor.newInstance", "java/lang/reflect/Method.invoke",
        "java/util/Arrays.asList", "java/util/Arrays.binarySearch", "java/util/Arrays.copyOf", "java/util/Arrays.copyOfRange",
        "java/util/Arrays.deepEquals", "java/util/Arrays.deepHashCode", "java/util/Arrays.deepToString", "java/util/Arrays.equals",
        "java/util/Arrays.fill", "java/util/Arrays.hashCode", "java/util/Arrays.sort", "java/util/Arrays.stream", "java/util/Arrays.toString",
        "java/util/Collections.addAll", "java/util/EnumSet.of", "java/util/Formatter.format", "java/util/List.of", "java/util/Map.ofEntries",
        "java/util/Objects.hash", "java/util/Set.of", "java/util/concurrent/CompletableFuture.allOf",
        "java/util/concurrent/CompletableFuture.anyOf", "java/util/stream/DoubleStream.of", "java/util/stream/IntStream.of",
        "java/util/stream/LongStream.of", "java/util/stream/Stream.of");

    private final ClassNode type;
    private final ArrayMode mode;
    private final Map<String, MethodNode> own = new HashMap<>();
    /** The results for the methods analysed so far. */
    private final Map<MethodNode, Summary> summaries = new HashMap<>();
    /** The methods whose results are not final yet. */
    private final List<MethodNode> unsettled = new ArrayList<>();

    public Passing(ClassNode type, ArrayMode mode) {
        this.type = type;
        this.mode = mode;
        for (MethodNode method : type.methods) {
            boolean isFixed = (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL)) != 0
                || (type.access & Opcodes.ACC_FINAL) != 0 || method.name.equals("<init>");
            if (isFixed && method.instructions.size() > 0 && hasFollowed(method.desc)) {
                own.put(method.name + method.desc, method);
            }
        }
    }

    /** What a method does to its arguments. */
    private static final class Summary implements ReferenceFlow.Listener {
        /** By parameter: whether an array can escape, or be accessed, also where it may be another one. */
        final boolean[] leaks;
        final boolean[] touches;
        final boolean[] isMixed;
        boolean hasChanged;

        Summary(int parameters) {
            leaks = new boolean[parameters];
            touches = new boolean[parameters];
            isMixed = new boolean[parameters];
        }

        void add(boolean[] to, int source) {
            if (source < to.length && !to[source]) {
                to[source] = true;
                hasChanged = true;
            }
        }

        @Override
        public void touches(AbstractInsnNode insn, int parameter, boolean isCertain) {
            add(touches, parameter);
            if (!isCertain) {
                add(isMixed, parameter);
            }
        }

        @Override
        public void leaves(AbstractInsnNode insn, int source, int above, int size, boolean isLast) {
            add(leaks, source);
        }

        @Override
        public void leavesUnknown(int source) {
            add(leaks, source);
        }
    }

    private static boolean hasFollowed(String desc) {
        for (Type type : Type.getArgumentTypes(desc)) {
            if (isFollowed(type)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is the call of a static method or of a constructor, whose receiver does not matter. */
    public static boolean isFixed(MethodInsnNode call) {
        return call.getOpcode() == Opcodes.INVOKESTATIC || Frames.isConstruction(call);
    }

    /** Returns the result for callers in other classes, and for calls of methods that can be overridden: see {@link ClassInfo}. */
    public Map<String, Integer> keepers(Borrowers borrowers) {
        Map<String, Integer> result = new HashMap<>();
        for (MethodNode method : type.methods) {
            boolean isFixed = isFixed(method);
            Type[] types = Type.getArgumentTypes(method.desc);
            for (int i = 0; i < types.length; i++) {
                if (hasAccesses(types[i])) {
                    int does = does(method, i);
                    if ((does & ~ClassInfo.IN_PACKAGE) == ClassInfo.TOUCHES && i == types.length - 1 && borrowers.offer(method)) {
                        does |= ClassInfo.COPIED;
                    }
                    if (!isFixed || does != ClassInfo.LEAVES) {
                        result.put(ClassInfo.parameter(isFixed, method.name, method.desc, i), does);
                    }
                }
            }
        }
        return result;
    }

    /** The same for a called method. */
    private static boolean isFixed(MethodNode method) {
        return (method.access & Opcodes.ACC_STATIC) != 0 || method.name.equals("<init>");
    }

    private int does(MethodNode method, int parameter) {
        if ((method.access & Opcodes.ACC_PRIVATE) != 0 && !isFixed(method)) {
            // It overrides nothing, so a call that finds it by a receiver's class may be one of another method.
            return ClassInfo.LEAVES;
        }
        Summary summary = method.instructions.size() == 0 ? null : summary(method);
        int does = summary == null || summary.leaks[parameter] ? ClassInfo.LEAVES : summary.touches[parameter] ? ClassInfo.TOUCHES : ClassInfo.IGNORES;
        boolean isEverywhere = isFixed(method) || (method.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
        return isEverywhere ? does : does | ClassInfo.IN_PACKAGE;
    }

    /** Whether this is an array whose elements are watched: only these have a hook where they escape. */
    private boolean hasAccesses(Type parameter) {
        return isFollowed(parameter) && (mode == ArrayMode.ALL || mode == ArrayMode.REFS && parameter.getDescriptor().length() > 2);
    }

    /** Returns the method that a call in the class reaches, if it can reach no other one and some parameter is analysed; otherwise null. */
    MethodNode own(MethodInsnNode call) {
        return call.owner.equals(type.name) && hasArray(call) ? own.get(call.name + call.desc) : null;
    }

    /** False if no argument is an array: most calls need no further look. */
    private static boolean hasArray(MethodInsnNode call) {
        return call.desc.indexOf('[') >= 0;
    }

    /**
     * Returns, by parameter of such a method, whether arrays passed as it can be accessed and do not escape. Null if some access may be to one of
     * them or to another array.
     */
    boolean[] borrowed(MethodNode method) {
        Summary summary = summary(method);
        boolean[] result = new boolean[summary.touches.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = summary.touches[i] && !summary.leaks[i];
            if (result[i] && summary.isMixed[i]) {
                return null;
            }
        }
        return result;
    }

    /** Whether some caller can lend an array to the method, which is then decided at run time. */
    boolean isLent(MethodNode method) {
        for (Type parameter : Type.getArgumentTypes(method.desc)) {
            if (hasAccesses(parameter)) {
                return method.instructions.size() > 0;
            }
        }
        return false;
    }

    /** Only parameters of array types are analysed. */
    static boolean isFollowed(Type type) {
        return type.getSort() == Type.ARRAY;
    }

    /** Returns which parameter of a method examined at run time an operand is, if that has an array type; otherwise -1. */
    static int parameter(AbstractInsnNode insn, int above) {
        int op = insn.getOpcode();
        if (op != Opcodes.INVOKESTATIC && op != Opcodes.INVOKEVIRTUAL && op != Opcodes.INVOKEINTERFACE && !Frames.isConstruction(insn)) {
            return -1;
        }
        Type[] types = Type.getArgumentTypes(((MethodInsnNode) insn).desc);
        int parameter = types.length - 1 - above;
        return parameter >= 0 && isFollowed(types[parameter]) ? parameter : -1;
    }

    /**
     * Returns the operands that escape by a call: how many are above each. For what a constructor does with its own object, see
     * {@link Constructors}.
     */
    int[] leaving(AbstractInsnNode insn) {
        if (insn.getOpcode() == Opcodes.INVOKEDYNAMIC) {
            Type[] types = Type.getArgumentTypes(((InvokeDynamicInsnNode) insn).desc);
            boolean[] all = new boolean[types.length];
            Arrays.fill(all, true);
            return operands(types, all, false);
        }
        if (!(insn instanceof MethodInsnNode)) {
            return NONE;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        Type[] types = Type.getArgumentTypes(call.desc);
        boolean isKnown = hasArray(call) && HAND_ON_NO_ARRAY.contains(call.owner + '.' + call.name);
        Summary summary = summary(call);
        boolean isCopied = call.owner.startsWith("[") && call.name.equals("clone");
        boolean[] leave = new boolean[types.length];
        for (int i = 0; i < types.length; i++) {
            leave[i] = !(isFollowed(types[i]) && (isKnown || summary != null && !summary.leaks[i]));
        }
        return operands(types, leave,
            call.getOpcode() != Opcodes.INVOKESTATIC && !isCopied && !Frames.isConstruction(insn));
    }

    /** Returns the operands passed to a method of the same class that can access them and does not let them escape. */
    int[] lent(AbstractInsnNode insn) {
        Summary summary = insn instanceof MethodInsnNode ? summary((MethodInsnNode) insn) : null;
        if (summary == null) {
            return NONE;
        }
        Type[] types = Type.getArgumentTypes(((MethodInsnNode) insn).desc);
        boolean[] areLent = new boolean[types.length];
        for (int i = 0; i < types.length; i++) {
            areLent[i] = isFollowed(types[i]) && summary.touches[i] && !summary.leaks[i];
        }
        return operands(types, areLent, false);
    }

    /** Returns the selected references among the parameters: how many operands are above each. */
    private static int[] operands(Type[] types, boolean[] areMeant, boolean withReceiver) {
        int[] result = new int[types.length + 1];
        int n = 0;
        for (int i = types.length - 1; i >= 0; i--) {
            boolean isReference = types[i].getSort() == Type.ARRAY || types[i].getSort() == Type.OBJECT;
            if (isReference && areMeant[i]) {
                result[n++] = types.length - 1 - i;
            }
        }
        if (withReceiver) {
            result[n++] = types.length;
        }
        return Arrays.copyOf(result, n);
    }

    /**
     * Returns what the called method does to its arguments; null if unknown. This is a fixed-point iteration: methods
     * reached during the analysis are assumed to do nothing until the analysis of one of them shows otherwise.
     */
    private Summary summary(MethodInsnNode call) {
        return summary(own(call));
    }

    private Summary summary(MethodNode callee) {
        if (callee == null || summaries.containsKey(callee)) {
            return summaries.get(callee);
        }
        summaries.put(callee, new Summary(Type.getArgumentTypes(callee.desc).length));
        unsettled.add(callee);
        if (unsettled.size() == 1) {
            settle();
        }
        return summaries.get(callee);
    }

    private void settle() {
        boolean hasChanged = true;
        while (hasChanged) {
            hasChanged = false;
            // The last first, because those before call them. More can be added at the end.
            for (int i = unsettled.size() - 1; i >= 0; i--) {
                int known = unsettled.size();
                hasChanged |= look(unsettled.get(i)) | unsettled.size() > known;
            }
        }
        unsettled.clear();
    }

    private boolean look(MethodNode method) {
        Summary summary = summaries.get(method);
        summary.hasChanged = false;
        try {
            new ReferenceFlow(method, mode, this).run(type.name, summary);
        } catch (AnalyzerException e) {
            for (int i = 0; i < summary.leaks.length; i++) {
                summary.leavesUnknown(i);
            }
        }
        return summary.hasChanged;
    }
}
