package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.models.ModelTable;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** Decides which calls can be of methods with a model, as far as the instruction shows. */
public final class ModelledCalls {
    public static final String LOCK_SUPPORT = "java/util/concurrent/locks/LockSupport";
    public static final String TIME_UNIT = "java/util/concurrent/TimeUnit";
    private static final String PLATFORM = "java/";
    /** Methods that most classes have, and that are called too often. */
    private static final Set<String> OF_EVERY_CLASS = Set.of("equals", "hashCode", "toString");

    /** The declared types of arguments that can have a model. */
    private static final Set<String> HOLDERS = Set.of("Ljava/lang/Iterable;", "Ljava/util/Collection;", "Ljava/util/List;", "Ljava/util/Set;", "Ljava/util/SortedSet;",
        "Ljava/util/Map;", "Ljava/util/SortedMap;", "Ljava/util/EnumSet;", "Ljava/util/EnumMap;", "Ljava/util/PriorityQueue;", "Ljava/lang/CharSequence;", "Ljava/lang/StringBuilder;",
        "Ljava/lang/StringBuffer;");

    /** Methods of {@code Collections} that act on two collections alike. */
    private static final Set<String> OF_TWO = Set.of("disjoint", "copy");

    /**
     * The interfaces of collections and locks that classes with a model have. Most objects of these types have a model; objects of other types in the
     * same packages have none.
     */
    private static final Set<String> INTERFACES = Set.of("java/util/Collection", "java/util/List", "java/util/Set", "java/util/SortedSet", "java/util/NavigableSet",
        "java/util/Queue", "java/util/Deque", "java/util/Map", "java/util/SortedMap", "java/util/NavigableMap", "java/util/concurrent/ConcurrentMap",
        "java/util/concurrent/ConcurrentNavigableMap", "java/util/concurrent/BlockingQueue", "java/util/concurrent/BlockingDeque",
        "java/util/concurrent/TransferQueue", "java/util/concurrent/locks/Lock", "java/util/concurrent/locks/ReadWriteLock", "java/util/concurrent/locks/Condition");

    private ModelledCalls() {
    }

    /** Whether a method of this class and name can park the thread, so that it waits for another one. */
    public static boolean canPark(String owner, String name) {
        return owner.equals(LOCK_SUPPORT) && name.startsWith("park");
    }

    /** Whether the call can be of a method with a model. */
    public static boolean isOperation(MethodInsnNode call) {
        return ModelTable.kind(call.name) != null && call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>")
            && (call.owner.startsWith("java/util/") || ModelTable.hasModel(call.owner.replace('/', '.')));
    }

    /** Whether such a call is of a type that has a model, or of which most objects have one. */
    public static boolean isOfModel(MethodInsnNode call) {
        return ModelTable.hasModel(call.owner.replace('/', '.')) || INTERFACES.contains(call.owner);
    }

    /**
     * Returns what a call of a constructor or a static method of the platform does with one of its arguments, if that can be an object with a model;
     * otherwise null.
     */
    public static ModelTable.Argument argument(MethodInsnNode call) {
        boolean isNew = call.name.equals("<init>");
        boolean hasArguments = call.desc.charAt(1) != ')';
        if (!hasArguments || !isNew && call.getOpcode() != Opcodes.INVOKESTATIC || !call.owner.startsWith(PLATFORM)) {
            return null;
        }
        Type[] types = Type.getArgumentTypes(call.desc);
        ModelTable.Argument found = ModelTable.argument(call.owner.replace('/', '.'), isNew ? "new" : call.name, types.length);
        return found != null && HOLDERS.contains(types[found.position].getDescriptor()) ? found : null;
    }

    /** Whether a static method acts on two arguments, each of which can be an object with a model. */
    public static boolean isOfTwo(MethodInsnNode call) {
        return call.owner.equals("java/util/Collections") && OF_TWO.contains(call.name) && argument(call) != null;
    }

    /** Returns the position of the argument on which a call can act in addition to its receiver or its first argument; -1 if there is none. */
    public static int position(MethodInsnNode call) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int position = call.getOpcode() != Opcodes.INVOKESTATIC ? ModelTable.position(call.name, types.length) : isOfTwo(call) ? 1 : -1;
        return position >= 0 && ModelTable.canHaveModel(types[position].getDescriptor()) ? position : -1;
    }

    /**
     * Whether a call of an object that no other thread can reach can act on an argument that others can reach: not if that can be anything, as in a
     * concatenation.
     */
    public static boolean passesShared(MethodInsnNode call) {
        int position = position(call);
        return position >= 0 && !Type.getArgumentTypes(call.desc)[position].getDescriptor().equals("Ljava/lang/Object;");
    }

    /** Whether the call may be of a method with a model, as far as it shows. */
    public static boolean canBeOperation(MethodInsnNode call) {
        return isOperation(call) || hasShape(call);
    }

    /** Whether a class of the platform with a model can have such a method, and the declared receiver is no class of the platform. */
    public static boolean hasShape(MethodInsnNode call) {
        boolean isAbove = call.getOpcode() == Opcodes.INVOKESPECIAL && !call.itf && !call.name.equals("<init>");
        boolean isSelected = call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE || isAbove;
        return isSelected && ModelTable.kind(call.name) != null && !OF_EVERY_CLASS.contains(call.name) && !ModelTable.isOfFinal(call.name)
            && call.owner.charAt(0) != '['
            && !call.owner.startsWith(PLATFORM) && namesOnlyPlatform(call.desc);
    }

    private static boolean namesOnlyPlatform(String desc) {
        for (int i = 0; i < desc.length(); i++) {
            if (desc.charAt(i) == 'L') {
                if (!desc.startsWith(PLATFORM, i + 1)) {
                    return false;
                }
                i = desc.indexOf(';', i);
            }
        }
        return true;
    }
}
