package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.list;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.MethodCode;
import java.util.Set;
import java.util.function.Supplier;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Hooks at the exits of a class initialiser, whose actions belong to no block around it ({@link dev.regiontrack.runtime.threads.Initializers}). The same
 * holds for methods that load classes, which the JVM calls where a class is first needed.
 *
 * <p>An initialiser that is too large for hooks gets no others. If the program has one thread, the initialiser's accesses are ordered before
 * everything that other threads do, by their forks, so nothing is missed; otherwise they are lost. A hook at its entry and at each exit checks which
 * is the case.
 */
final class InitializerExits {
    /** The methods of class loaders that load classes, with the parameters that they have in common. */
    private static final Set<String> LOADS = Set.of("loadClass(Ljava/lang/String;)Ljava/lang/Class;", "loadClass(Ljava/lang/String;Z)Ljava/lang/Class;",
        "findClass(Ljava/lang/String;)Ljava/lang/Class;", "findClass(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;");

    private InitializerExits() {
    }

    /**
     * Whether a method has the name and descriptor of one that loads classes. What is no class loader and has such a method passes the call on to one,
     * or does the like.
     */
    static boolean loadsClasses(MethodNode method) {
        return (method.access & Opcodes.ACC_STATIC) == 0 && method.name.endsWith("Class") && LOADS.contains(method.name + method.desc);
    }

    /** To be called after the method has got its other hooks. */
    static void stepAside(MethodCode code) {
        code.stepAside();
        put(code.type, code.method, () -> list(code.loadState(),
            new MethodInsnNode(Opcodes.INVOKESTATIC, RuntimeNames.INITIALIZERS, "end", "(" + MethodCode.T + ")V", false)));   // -
    }

    /** Reports at run time that the method has no hooks. */
    static void markUnseen(ClassNode type, MethodNode method) {
        String name = type.name.replace('/', '.') + '.' + method.name + method.desc;
        Supplier<InsnList> hook = () -> list(new LdcInsnNode(name), MethodCode.invoke("unseenInitializer", "(Ljava/lang/String;)V"));   // -
        put(type, method, hook);
        method.instructions.insert(hook.get());
    }

    private static void put(ClassNode type, MethodNode method, Supplier<InsnList> hook) {
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        InsnList code = method.instructions;
        for (AbstractInsnNode insn : code.toArray()) {
            if (insn.getOpcode() == Opcodes.RETURN || insn.getOpcode() == Opcodes.ARETURN) {
                code.insertBefore(insn, hook.get());
            }
        }
        code.insert(start);
        code.add(end);
        if ((type.version & 0xffff) >= Opcodes.V1_6) {
            code.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        }
        code.add(hook.get());                                                                // e
        code.add(new InsnNode(Opcodes.ATHROW));                                              // -
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    }
}
