package dev.regiontrack.instrument.platform;

import dev.regiontrack.instrument.RuntimeNames;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hooks around methods of the platform's class loaders, inserted only if classes of the platform are watched. The JVM calls these methods where the
 * program first uses a class or a native method; their accesses to lists and maps of their own are not the program's. A hook must not call them
 * again, although its own first call of a native method leads here.
 */
public final class ClassLoading {
    /** By class: names of methods. */
    private static final Map<String, Set<String>> METHODS = Map.of("java.lang.ClassLoader", Set.of("addClass", "findNative"),
        "jdk.internal.loader.BuiltinClassLoader", Set.of("loadClassOrNull"), "java.net.URLClassLoader", Set.of("findClass"),
        "sun.instrument.InstrumentationImpl", Set.of("transform"));

    private ClassLoading() {
    }

    /** Returns the classes that have such methods. */
    static Set<String> classes() {
        return METHODS.keySet();
    }

    /** Adds the hooks to one of these classes. */
    public static byte[] hooked(String type, byte[] bytes) {
        Set<String> methods = METHODS.get(type);
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
                return methods.contains(name) ? new Around(next) : next;
            }
        }, 0);
        return writer.toByteArray();
    }

    /** A hook at the entry, and one before each exit; none of them uses a local. */
    private static final class Around extends MethodVisitor {
        private final Label start = new Label();
        private final Label end = new Label();

        Around(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            hook("loads");
            super.visitLabel(start);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                hook("loaded");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitLabel(end);
            // The last handler, so that the method's own come first.
            super.visitTryCatchBlock(start, end, end, null);
            super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
            hook("loaded");
            super.visitInsn(Opcodes.ATHROW);
            super.visitMaxs(stack, locals);
        }

        private void hook(String name) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RuntimeNames.PLATFORM, name, "()V", false);
        }
    }
}
