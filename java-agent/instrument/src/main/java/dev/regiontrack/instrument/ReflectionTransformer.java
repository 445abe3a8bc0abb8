package dev.regiontrack.instrument;

import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Reflected;
import dev.regiontrack.runtime.Transport;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Hooks in {@code java.lang.Class}, where it has asked the JVM for a class's members, so that reflection does not show those that the agent adds. */
final class ReflectionTransformer implements ClassFileTransformer {
    private static final String CLASS = "java/lang/Class";
    private static final String REFLECTED = "dev/regiontrack/runtime/Reflected";
    private final Transport report;
    /** What is wrong with the class so far; empty if nothing is. */
    private volatile String trouble = "the JVM did not offer it for transformation";

    ReflectionTransformer(Transport report) {
        this.report = report;
    }

    /** Without these hooks the program can see the agent's members, and runs nevertheless. */
    void retransform(Instrumentation instrumentation) {
        try {
            // Loads it: a class that is loaded while the class is used for the first time would find it half transformed.
            Reflected.fields(new java.lang.reflect.Field[0]);
            instrumentation.retransformClasses(Class.class);
        } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
            trouble = e.toString();
        }
        if (!isDone()) {
            report.describe(NativeBridge.TOLERATED, 1, "reflection shows what the agent adds to classes: java.lang.Class is not as expected: " + trouble);
        }
    }

    /** True if reflection does not show what is added. */
    boolean isDone() {
        return trouble.isEmpty();
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (loader != null || !CLASS.equals(name)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            Hooking hooking = new Hooking(writer);
            reader.accept(hooking, 0);
            trouble = hooking.hooks.isEmpty() ? "" : "found no call of " + hooking.hooks.keySet();
            return writer.toByteArray();
        } catch (Throwable e) {
            // The JVM would ignore it.
            trouble = e.toString();
            return null;
        }
    }

    private static final class Hooking extends ClassVisitor {
        /** By name of the native method: the hook for its result. Those that are left have not been found. */
        final Map<String, String> hooks = new HashMap<>(Map.of("getDeclaredFields0", "fields", "getDeclaredMethods0", "methods",
            "getDeclaredConstructors0", "constructors"));
        private final Map<String, String> all = Map.copyOf(hooks);

        Hooking(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            // The others are copied as they are, which saves most of the time that this takes.
            return !name.startsWith("privateGetDeclared") ? next : new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                    super.visitMethodInsn(opcode, owner, called, calledDesc, isInterface);
                    String hook = owner.equals(CLASS) ? all.get(called) : null;
                    if (hook != null) {
                        hooks.remove(called);
                        String result = calledDesc.substring(calledDesc.indexOf(')') + 1);
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, REFLECTED, hook, '(' + result + ')' + result, false);
                    }
                }
            };
        }
    }
}
