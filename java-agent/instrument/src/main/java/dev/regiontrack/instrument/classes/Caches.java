package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks in the caches of Guava and Caffeine, whose code is not watched: where they put in what a loader has made, which the result of a call does not
 * tell ({@link dev.regiontrack.runtime.models.Loads}), and where an iterator may remove something ({@link dev.regiontrack.runtime.models.Removals}).
 * Nothing else is changed there. A version in which a place is not found has no hook there: a call that loads or removes then counts as a read.
 */
final class Caches {
    private static final String GUAVA = "com/google/common/cache/LocalCache$Segment";
    private static final String CAFFEINE = "com/github/benmanes/caffeine/cache/";
    private static final String GUAVAS = "com/google/common/cache/LocalCache";
    private static final String BOUNDED = CAFFEINE + "BoundedLocalCache";
    private static final String UNBOUNDED = CAFFEINE + "UnboundedLocalCache";
    private static final String MANUAL = CAFFEINE + "LocalManualCache";
    private static final String LOADING = CAFFEINE + "LocalLoadingCache";
    private static final String ASYNC = CAFFEINE + "LocalAsyncCache";
    /**
     * By class: the prefixes of the names of the methods that have such a place. In Caffeine most are the bodies of lambdas, as the compiler names
     * them.
     */
    private static final Map<String, List<String>> METHODS = Map.of(GUAVA, List.of("storeLoadedValue"), GUAVAS, List.of("loadAll"), UNBOUNDED,
        List.of("lambda$computeIfAbsent$"), BOUNDED, List.of("lambda$doComputeIfAbsent$", "lambda$refreshIfNeeded$"), MANUAL, List.of("bulkLoad"), LOADING,
        List.of("lambda$refresh$"), ASYNC, List.of("getAll"));
    /** The iterators whose {@code remove} calls that of their map. */
    private static final Set<String> ITERATORS = Set.of(GUAVAS + "$HashIterator", "com/google/common/collect/MapMakerInternalMap$HashIterator", BOUNDED + "$EntryIterator",
        UNBOUNDED + "$KeyIterator", UNBOUNDED + "$ValuesIterator", UNBOUNDED + "$EntryIterator");
    private static final int MOST_OPERANDS = 3;
    private static final String VOID = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    private static final String OF_VALUE = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V";
    private static final String CONSUMER = "Ljava/util/function/BiConsumer;";
    private static final String FUNCTION = "Ljava/util/function/BiFunction;";

    private Caches() {
    }

    /** Whether the class with this internal name is one of those, and models of its library are in force. */
    static boolean have(String name) {
        return (METHODS.containsKey(name) || ITERATORS.contains(name)) && (ModelTable.hasModel("com.google.common.cache.LocalCache")
            || ModelTable.hasModel("com.github.benmanes.caffeine.cache.LocalCache"));
    }

    /** Returns the class with its hooks. */
    static byte[] hooked(String name, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassNode type = new ClassNode();
        reader.accept(type, 0);
        for (MethodNode method : type.methods) {
            boolean isPlace = ITERATORS.contains(name) ? method.name.equals("remove") : METHODS.get(name).stream().anyMatch(method.name::startsWith);
            if (isPlace && (method.access & Opcodes.ACC_STATIC) == 0) {
                hook(name, method.instructions);
                method.maxStack += MOST_OPERANDS;
            }
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        type.accept(writer);
        return writer.toByteArray();
    }

    private static void hook(String name, InsnList code) {
        AbstractInsnNode[] all = code.toArray();
        if (name.equals(GUAVA)) {
            code.insert(call(new InsnList(), 1, "storing", VOID));
        }
        for (AbstractInsnNode i : all) {
            if (i instanceof InvokeDynamicInsnNode && !name.equals(ASYNC)) {
                code.insert(i, wrapped(((InvokeDynamicInsnNode) i).desc));
            } else if (i instanceof MethodInsnNode && ITERATORS.contains(name)) {
                code.insert(i, removed((MethodInsnNode) i));
            } else if (i instanceof MethodInsnNode && name.equals(GUAVAS)) {
                code.insertBefore(i, putting((MethodInsnNode) i));
            } else if (i instanceof MethodInsnNode) {
                code.insert(i, name.equals(GUAVA) ? stored((MethodInsnNode) i) : name.equals(ASYNC) ? added((MethodInsnNode) i) : loaded((MethodInsnNode) i));
            }
        }
    }

    /** Adds the hook's call with the top of the stack, the receiver and the key in this local. */
    private static InsnList call(InsnList hook, int key, String name, String desc) {
        hook.add(new VarInsnNode(Opcodes.ALOAD, 0));                                                 // .. c
        hook.add(new VarInsnNode(Opcodes.ALOAD, key));                                               // .. c k
        hook.add(call(name, desc));                                                                  // ..
        return hook;
    }

    /** Wraps the function that a cache of Caffeine calls with each loaded key, or with one whose value it computes again. */
    private static InsnList wrapped(String desc) {
        InsnList hook = new InsnList();
        boolean isEach = desc.endsWith(")" + CONSUMER);
        if (isEach || desc.endsWith(")" + FUNCTION)) {
            String type = isEach ? CONSUMER : FUNCTION;
            hook.add(new VarInsnNode(Opcodes.ALOAD, 0));                                             // f c
            hook.add(call(isEach ? "each" : "again", "(" + type + "Ljava/lang/Object;)" + type));    // f
        }
        return hook;
    }

    /** The map returns what it has removed. */
    private static InsnList removed(MethodInsnNode call) {
        InsnList hook = new InsnList();
        if (call.name.equals("remove") && call.desc.equals("(Ljava/lang/Object;)Ljava/lang/Object;")) {
            hook.add(new InsnNode(Opcodes.DUP));                                                     // v v
            hook.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RuntimeNames.REMOVALS, "removed", "(Ljava/lang/Object;)V", false));   // v
        }
        return hook;
    }

    /** Guava puts in what was loaded for several keys one by one. */
    private static InsnList putting(MethodInsnNode call) {
        int key = call.name.equals("put") && call.owner.equals(GUAVAS) ? key(call) : -1;
        return key < 0 ? new InsnList() : call(new InsnList(), key, "putting", VOID);
    }

    /** An asynchronous cache of Caffeine puts in a future for each key that has none. */
    private static InsnList added(MethodInsnNode call) {
        int key = call.name.equals("putIfAbsent") && call.owner.equals(CAFFEINE + "LocalCache") ? key(call) : -1;
        InsnList hook = new InsnList();
        if (key >= 0) {
            hook.add(new InsnNode(Opcodes.DUP));                                                     // v v
            call(hook, key, "added", OF_VALUE);                                                      // v
        }
        return hook;
    }

    /** Returns the local with the key of a call with a key and a value from locals; -1 for other calls. */
    private static int key(MethodInsnNode call) {
        AbstractInsnNode value = call.getPrevious();
        AbstractInsnNode key = value == null ? null : value.getPrevious();
        return key != null && value.getOpcode() == Opcodes.ALOAD && key.getOpcode() == Opcodes.ALOAD ? ((VarInsnNode) key).var : -1;
    }

    /** Guava's method has the key as its first argument, and calls {@code setValue} unless another value was put in meanwhile. */
    private static InsnList stored(MethodInsnNode call) {
        InsnList hook = new InsnList();
        if (call.name.equals("setValue") && call.owner.equals(GUAVA)) {
            call(hook, 1, "stored", VOID);
        }
        return hook;
    }

    /** In Caffeine's lambdas, which run while the key is locked, a function makes the value from the key, which is pushed last. */
    private static InsnList loaded(MethodInsnNode call) {
        InsnList hook = new InsnList();
        AbstractInsnNode before = call.getPrevious();
        if (call.name.equals("apply") && call.owner.equals("java/util/function/Function") && before != null && before.getOpcode() == Opcodes.ALOAD) {
            hook.add(new InsnNode(Opcodes.DUP));                                                     // v v
            call(hook, ((VarInsnNode) before).var, "loaded", OF_VALUE);                              // v
        }
        return hook;
    }

    private static MethodInsnNode call(String hook, String desc) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, RuntimeNames.LOADS, hook, desc, false);
    }
}
