package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks in the caches of Guava and Caffeine, whose code is not watched: where they put in what a loader has made, which the result of a call does not tell
 * ({@link dev.regiontrack.runtime.models.Loads}). Nothing else is changed there. A version in which a place is not found has no hook there: then a call
 * that loads counts as a read.
 */
final class Caches {
    private static final String GUAVA = "com/google/common/cache/LocalCache$Segment";
    private static final String CAFFEINE = "com/github/benmanes/caffeine/cache/";
    /** By class: how the names of the methods begin that have such a place. In Caffeine these are the bodies of lambdas, as the compiler names them. */
    private static final Map<String, String> METHODS = Map.of(GUAVA, "storeLoadedValue", CAFFEINE + "UnboundedLocalCache", "lambda$computeIfAbsent$",
        CAFFEINE + "BoundedLocalCache", "lambda$doComputeIfAbsent$");
    private static final int MOST_OPERANDS = 3;

    private Caches() {
    }

    /** True if the class with this internal name is one of those, and models of its library are in force. */
    static boolean have(String name) {
        return METHODS.containsKey(name) && (ModelTable.hasModel("com.google.common.cache.LocalCache")
            || ModelTable.hasModel("com.github.benmanes.caffeine.cache.LocalCache"));
    }

    /** The class with its hooks. */
    static byte[] hooked(String name, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassNode type = new ClassNode();
        reader.accept(type, 0);
        for (MethodNode method : type.methods) {
            if (method.name.startsWith(METHODS.get(name)) && (method.access & Opcodes.ACC_STATIC) == 0) {
                for (AbstractInsnNode i : method.instructions.toArray()) {
                    if (i instanceof MethodInsnNode) {
                        method.instructions.insert(i, name.equals(GUAVA) ? stored((MethodInsnNode) i) : loaded((MethodInsnNode) i));
                    }
                }
                method.maxStack += MOST_OPERANDS;
            }
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        type.accept(writer);
        return writer.toByteArray();
    }

    /** Guava's method has the key as its first argument, and calls {@code setValue} if nobody has put another value in meanwhile. */
    private static InsnList stored(MethodInsnNode call) {
        InsnList hook = new InsnList();
        if (call.name.equals("setValue") && call.owner.equals(GUAVA)) {
            hook.add(new VarInsnNode(Opcodes.ALOAD, 0));                                             // s
            hook.add(new VarInsnNode(Opcodes.ALOAD, 1));                                             // s k
            hook.add(call("stored", "(Ljava/lang/Object;Ljava/lang/Object;)V"));
        }
        return hook;
    }

    /** In Caffeine's lambdas, which run while the key is locked, a function makes the value from the key, which is pushed last. */
    private static InsnList loaded(MethodInsnNode call) {
        InsnList hook = new InsnList();
        AbstractInsnNode before = call.getPrevious();
        if (call.name.equals("apply") && call.owner.equals("java/util/function/Function") && before != null && before.getOpcode() == Opcodes.ALOAD) {
            hook.add(new InsnNode(Opcodes.DUP));                                                     // v v
            hook.add(new VarInsnNode(Opcodes.ALOAD, 0));                                             // v v c
            hook.add(new VarInsnNode(Opcodes.ALOAD, ((VarInsnNode) before).var));                    // v v c k
            hook.add(call("loaded", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V"));   // v
        }
        return hook;
    }

    private static MethodInsnNode call(String hook, String desc) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, RuntimeNames.LOADS, hook, desc, false);
    }
}
