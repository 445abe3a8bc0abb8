package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.selection.ModelledCalls;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Finds which instructions of a class's methods change nothing that another thread could see, as far as the class file shows.
 *
 * <p>A call changes nothing if it is one of the platform's that is listed here, or one of a method of the same class that cannot be overridden and
 * has only such instructions. What collections call on their elements and keys ({@code equals}, {@code hashCode}, {@code compareTo}) is assumed to
 * change nothing, and so are class initialisers. If a collection is only known by an interface, or by a class that can be extended, the hook at the
 * call checks the receiver's class ({@link dev.regiontrack.runtime.models.OperationHooks}).
 */
final class Harmless {
    private static final String PLATFORM = "java/";
    private static final String LANG = "java/lang/";
    private static final String UTIL = "java/util/";
    private static final String CONSTRUCTOR = "<init>";
    private static final String TEXT = "Ljava/lang/String;";

    /** Classes whose methods change nothing if they get only numbers and texts. */
    private static final Set<String> VALUES = Set.of("Math", "StrictMath", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float", "String");
    /** Other methods, by class. */
    private static final Set<String> METHODS = Set.of("java/lang/Object.<init>", "java/lang/Object.getClass", "java/lang/Class.isInstance", "java/lang/Class.cast",
        "java/lang/Class.getName", "java/lang/Class.desiredAssertionStatus", "java/lang/System.nanoTime", "java/lang/System.currentTimeMillis",
        "java/lang/System.identityHashCode", "java/lang/Thread.currentThread", "java/lang/Thread.onSpinWait", "java/lang/Thread.yield",
        "java/lang/Thread.holdsLock", "java/util/Objects.isNull", "java/util/Objects.nonNull", "java/util/Arrays.copyOf", "java/util/Arrays.copyOfRange",
        "java/util/Arrays.asList", "java/util/Optional.get", "java/util/Optional.isPresent", "java/util/Optional.isEmpty", "java/util/Optional.of",
        "java/util/Optional.ofNullable", "java/util/Optional.empty", "java/util/Optional.orElse", "java/util/List.of", "java/util/Set.of", "java/util/Map.of");
    /** Prefixes of methods whose results contain another object, or are empty. */
    private static final Set<String> WRAPPERS = Set.of("unmodifiable", "synchronized", "empty", "singleton");

    /** Collections and what belongs to them. */
    private static final Set<String> COLLECTIONS = Set.of("Collection", "List", "Set", "SortedSet", "NavigableSet", "Queue", "Deque", "Map", "SortedMap", "NavigableMap",
        "Map$Entry", "Iterator", "ListIterator", "Enumeration", "ArrayList", "LinkedList", "Vector", "Stack", "HashMap", "LinkedHashMap", "TreeMap", "Hashtable",
        "Properties", "HashSet", "LinkedHashSet", "TreeSet", "ArrayDeque", "PriorityQueue", "IdentityHashMap", "EnumMap", "EnumSet", "BitSet",
        "concurrent/ConcurrentMap", "concurrent/ConcurrentNavigableMap", "concurrent/ConcurrentHashMap", "concurrent/ConcurrentSkipListMap",
        "concurrent/ConcurrentSkipListSet", "concurrent/CopyOnWriteArrayList", "concurrent/CopyOnWriteArraySet", "concurrent/ConcurrentLinkedQueue",
        "concurrent/ConcurrentLinkedDeque");
    /** Their methods that read, and those that return a view. */
    private static final Set<String> READING = Set.of("size", "isEmpty", "contains", "get", "getOrDefault", "containsKey", "containsValue", "indexOf", "lastIndexOf",
        "keySet", "values", "entrySet", "iterator", "listIterator", "descendingIterator", "hasNext", "hasPrevious", "hasMoreElements",
        "getKey", "getValue", "peek", "peekFirst", "peekLast", "element", "getFirst", "getLast", "first", "last", "firstKey", "lastKey", "firstEntry", "lastEntry",
        "floorKey", "ceilingKey", "lowerKey", "higherKey", "floorEntry", "ceilingEntry", "lowerEntry", "higherEntry", "floor", "ceiling", "lower", "higher",
        "elementAt", "firstElement", "lastElement", "elements", "keys", "subList", "headMap", "tailMap", "subMap", "headSet", "tailSet", "subSet", "descendingMap",
        "descendingSet", "descendingKeySet", "navigableKeySet", "getProperty", "empty", "nextSetBit", "nextClearBit", "previousSetBit", "previousClearBit",
        "cardinality", "length", "mappingCount");
    private static final String COPY = "toArray";
    /** Methods that do the same with all elements of another collection. */
    private static final Set<String> BULK = Set.of("addAll", "putAll", "removeAll", "retainAll", "and", "or", "xor", "andNot");

    private final ClassNode type;
    private final boolean hasSections;
    /**
     * Steps of iterators that their methods have made, where that matters: with another iterator, the next step depends on which thread has made the
     * last.
     */
    private final Map<MethodNode, Set<AbstractInsnNode>> steps = new IdentityHashMap<>();
    /** By name and descriptor. */
    private final Map<String, MethodNode> methods = new HashMap<>();
    /** By method; false also during the analysis. */
    private final Map<MethodNode, Boolean> found = new IdentityHashMap<>();

    /** Inspects the class before it is instrumented; {@code canLock} is false if no instruction of it takes a lock. */
    Harmless(ClassNode type, boolean canLock) {
        this.type = type;
        hasSections = hasSections(canLock);
        if (!hasSections) {
            return;
        }
        for (MethodNode method : type.methods) {
            methods.put(method.name + method.desc, method);
        }
        for (MethodNode method : type.methods) {
            if (Callees.isFixed(type, method)) {
                isHarmless(method);
            }
        }
    }

    /** Whether this is a call that returns a copy of an array, or of a collection of the platform, that no one else has. */
    static boolean isCopy(MethodInsnNode call) {
        boolean isClone = call.name.equals("clone") && call.desc.startsWith("()") && (call.owner.charAt(0) == '[' || isCollection(call.owner));
        return isClone || call.owner.equals("java/util/Arrays") && call.name.startsWith("copyOf");
    }

    /**
     * Whether this is a call of an object that the method has made, a collection of the platform or a text, which runs only code that compares
     * elements.
     */
    static boolean changesOnlyReceiver(MethodInsnNode call) {
        boolean isText = call.owner.equals("java/lang/StringBuilder") || call.owner.equals("java/lang/StringBuffer");
        boolean isOne = call.getOpcode() != Opcodes.INVOKESTATIC && (isText || isCollection(call.owner));
        return isOne && (keepsToItself(call) || !isText && BULK.contains(call.name));
    }

    /**
     * Whether this is a call that counts as changing nothing because its hook checks the class of its receiver, or of its argument, if the class has
     * critical sections for which that matters.
     */
    boolean reliesOnHook(MethodInsnNode call) {
        return hasSections && (isOfCollection(call) || isMade(call) && ModelledCalls.argument(call) != null);
    }

    /** The same for a call in a method that critical sections of the class may call and that has no section itself. */
    boolean reliesOnHook(MethodNode method, MethodInsnNode call) {
        return found.getOrDefault(method, false) && reliesOnHook(call);
    }

    /** Whether this is a call of the platform that changes nothing. */
    static boolean isKnown(MethodInsnNode call) {
        return isOfPlatform(call) || isCopy(call);
    }

    private boolean hasSections(boolean canLock) {
        for (MethodNode method : type.methods) {
            if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                return true;
            }
            for (AbstractInsnNode insn = canLock ? method.instructions.getFirst() : null; insn != null; insn = insn.getNext()) {
                if (insn.getOpcode() == Opcodes.MONITORENTER || Variables.isLock(insn)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** {@code own} are accesses and calls of what no other thread can reach. The method that has the instruction must not have been changed. */
    boolean is(MethodNode method, AbstractInsnNode insn, Set<AbstractInsnNode> own) {
        int op = insn.getOpcode();
        if (op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC || op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            return own.contains(insn) || Coverage.isAccess(insn);
        }
        if (insn instanceof InvokeDynamicInsnNode) {
            return isLink((InvokeDynamicInsnNode) insn);
        }
        if (insn instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) insn;
            return Coverage.isProbes(insn) || own.contains(insn) && keepsToItself(call) || isOwnMethod(call) || isOfPlatform(call) || isOwnStep(method, call);
        }
        return true;
    }

    /** Whether this is a step of an iterator that a method of the class file has made. */
    private boolean isOwnStep(MethodNode method, MethodInsnNode call) {
        if (!OwnIterators.isStep(call) || methods.get(method.name + method.desc) != method) {
            return false;
        }
        Set<AbstractInsnNode> own = steps.get(method);
        if (own == null) {
            own = OwnIterators.steps(type, method);
            steps.put(method, own);
        }
        return own.contains(call);
    }

    /** A lambda is only made; texts are concatenated from numbers and texts. */
    static boolean isLink(InvokeDynamicInsnNode insn) {
        String owner = insn.bsm.getOwner();
        return owner.equals("java/lang/invoke/LambdaMetafactory") || owner.equals("java/lang/invoke/StringConcatFactory") && areSimple(insn.desc);
    }

    /** Whether a call of the method's own object runs only code that compares elements. */
    private static boolean keepsToItself(MethodInsnNode call) {
        boolean isText = call.owner.equals("java/lang/StringBuilder") || call.owner.equals("java/lang/StringBuffer");
        for (Type parameter : Type.getArgumentTypes(call.desc)) {
            String name = parameter.getDescriptor();
            if (!isSimple(parameter) && (isText || !name.equals("Ljava/lang/Object;"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean areSimple(String desc) {
        for (Type parameter : Type.getArgumentTypes(desc)) {
            if (!isSimple(parameter)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSimple(Type type) {
        return type.getSort() < Type.ARRAY || type.getDescriptor().equals(TEXT);
    }

    // ---- methods of the same class

    private boolean isOwnMethod(MethodInsnNode call) {
        boolean canBe = call.owner.equals(type.name) && !call.name.equals(CONSTRUCTOR) && call.getOpcode() != Opcodes.INVOKEINTERFACE;
        MethodNode method = canBe ? methods.get(call.name + call.desc) : null;
        return method != null && Callees.isFixed(type, method) && isHarmless(method);
    }

    private boolean isHarmless(MethodNode method) {
        Boolean known = found.putIfAbsent(method, false);
        if (known != null) {
            return known;
        }
        boolean is = method.instructions.size() > 0;
        for (AbstractInsnNode insn = method.instructions.getFirst(); is && insn != null; insn = insn.getNext()) {
            is = is(method, insn, Set.of());
        }
        found.put(method, is);
        return is;
    }

    // ---- methods of the platform

    private static boolean isOfPlatform(MethodInsnNode call) {
        if (call.owner.charAt(0) == '[') {
            return call.name.equals("clone");
        }
        if (!call.owner.startsWith(PLATFORM)) {
            return false;
        }
        String whole = call.owner + '.' + call.name;
        boolean isThere = whole.equals("java/util/Objects.requireNonNull") && !call.desc.contains("Supplier");
        return isThere || METHODS.contains(whole) || isOfValue(call) || isMade(call) || isWrapped(call) || Variables.isReadOfAtomic(call) || isOfCollection(call);
    }

    private static boolean isOfValue(MethodInsnNode call) {
        boolean isOne = call.owner.startsWith(LANG) && VALUES.contains(call.owner.substring(LANG.length()));
        return isOne && (areSimple(call.desc) || call.name.equals("equals"));
    }

    private static boolean isMade(MethodInsnNode call) {
        boolean copies = ModelledCalls.argument(call) != null && (call.name.equals(CONSTRUCTOR) || call.name.equals("copyOf"));
        if (!call.name.equals(CONSTRUCTOR) || copies) {
            return copies;
        }
        boolean isOne = call.owner.endsWith("Exception") || call.owner.endsWith("Error") || call.owner.equals("java/lang/StringBuilder") || isCollection(call.owner);
        return isOne && (areSimple(call.desc) || call.desc.equals("(Ljava/util/Comparator;)V"));
    }

    private static boolean isWrapped(MethodInsnNode call) {
        boolean isOne = false;
        for (String wrapper : call.owner.equals("java/util/Collections") ? WRAPPERS : Set.<String>of()) {
            isOne |= call.name.startsWith(wrapper);
        }
        return isOne;
    }

    private static boolean isCollection(String owner) {
        return owner.startsWith(UTIL) && COLLECTIONS.contains(owner.substring(UTIL.length()));
    }

    /** The call must be one that has a hook. An array that it fills must have just been made. */
    private static boolean isOfCollection(MethodInsnNode call) {
        if (call.getOpcode() == Opcodes.INVOKESTATIC || !isCollection(call.owner) || !ModelledCalls.isOperation(call)) {
            return false;
        }
        if (!call.name.equals(COPY)) {
            return READING.contains(call.name);
        }
        AbstractInsnNode before = call.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return call.desc.startsWith("()") || call.desc.startsWith("([") && before != null && before.getOpcode() == Opcodes.ANEWARRAY;
    }
}
