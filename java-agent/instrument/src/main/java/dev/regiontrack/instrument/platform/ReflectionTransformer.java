package dev.regiontrack.instrument.platform;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Transport;
import dev.regiontrack.runtime.jdk.Reflected;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hooks in {@code java.lang.Class}, where it has asked the JVM for a class's members, and in {@code StackTraceElement}, where an exception's frames
 * are made, so that neither reflection nor stack traces show what the agent adds.
 */
public final class ReflectionTransformer implements ClassFileTransformer {
    private static final String CLASS = "java/lang/Class";
    private static final String FRAME = "java/lang/StackTraceElement";
    private static final String FRAMES = "[L" + FRAME + ";";
    private static final String NOT_OFFERED = "the JVM did not offer it for transformation";
    private final Transport report;
    /** The problem with each class so far; empty if there is none. */
    private volatile String trouble = NOT_OFFERED;
    private volatile String troubleWithFrames = NOT_OFFERED;

    public ReflectionTransformer(Transport report) {
        this.report = report;
    }

    /** Returns the classes that get hooks. */
    List<Class<?>> classes() {
        // Loads it: a class that is loaded while the class is used for the first time would find it half transformed.
        Reflected.fields(new java.lang.reflect.Field[0]);
        return List.of(Class.class, StackTraceElement.class);
    }

    /** The JVM has undone what was transformed. */
    void forget() {
        trouble = NOT_OFFERED;
        troubleWithFrames = NOT_OFFERED;
    }

    /** Inserts the hooks that have not been inserted. Without them the program can see the agent's members, but still runs. */
    public void retransform(Instrumentation instrumentation) {
        try {
            if (trouble.equals(NOT_OFFERED) || troubleWithFrames.equals(NOT_OFFERED)) {
                instrumentation.retransformClasses(classes().toArray(new Class<?>[0]));
            }
        } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
            trouble = e.toString();
        }
        if (!isDone()) {
            report.describe(NativeBridge.TOLERATED, 1, "reflection shows what the agent adds to classes: java.lang.Class is not as expected: " + trouble);
        }
        if (!troubleWithFrames.isEmpty()) {
            report.describe(NativeBridge.TOLERATED, 1, "stack traces show what the agent adds to classes: java.lang.StackTraceElement is not as expected: "
                + troubleWithFrames);
        }
    }

    /** Whether reflection hides what is added. */
    public boolean isDone() {
        return trouble.isEmpty();
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        boolean isClass = CLASS.equals(name);
        if (loader != null || !isClass && !FRAME.equals(name)) {
            return null;
        }
        String found;
        byte[] result = null;
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, 0);
            Hooking hooking = isClass ? new Members(writer) : new Frames(writer);
            reader.accept(hooking, 0);
            found = hooking.trouble();
            result = writer.toByteArray();
        } catch (Throwable e) {
            // The JVM would ignore it.
            found = e.toString();
        }
        if (isClass) {
            trouble = found;
        } else {
            troubleWithFrames = found;
        }
        return result;
    }

    private abstract static class Hooking extends ClassVisitor {
        Hooking(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        /** Returns what was not found; empty if all was. */
        abstract String trouble();

        /** Calls a hook with the top of the stack, which it may replace. */
        static void hook(MethodVisitor into, String name, String type) {
            into.visitMethodInsn(Opcodes.INVOKESTATIC, RuntimeNames.REFLECTED, name, '(' + type + ')' + type, false);
        }
    }

    private static final class Members extends Hooking {
        /** By name of the native method: the hook for its result. Those that remain have not been found. */
        private final Map<String, String> hooks = new HashMap<>(Map.of("getDeclaredFields0", "fields", "getDeclaredMethods0", "methods",
            "getDeclaredConstructors0", "constructors"));
        private final Map<String, String> all = Map.copyOf(hooks);

        Members(ClassVisitor next) {
            super(next);
        }

        @Override
        String trouble() {
            return hooks.isEmpty() ? "" : "found no call of " + hooks.keySet();
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            // The others are copied unchanged, which saves most of the time.
            return !name.startsWith("privateGetDeclared") ? next : new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                    super.visitMethodInsn(opcode, owner, called, calledDesc, isInterface);
                    String hook = owner.equals(CLASS) ? all.get(called) : null;
                    if (hook != null) {
                        hooks.remove(called);
                        hook(mv, hook, calledDesc.substring(calledDesc.indexOf(')') + 1));
                    }
                }
            };
        }
    }

    private static final class Frames extends Hooking {
        private boolean isFound;

        Frames(ClassVisitor next) {
            super(next);
        }

        @Override
        String trouble() {
            return isFound ? "" : "found no method that returns the frames of an exception";
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            return !name.equals("of") || !desc.endsWith(')' + FRAMES) ? next : new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.ARETURN) {
                        isFound = true;
                        hook(mv, "frames", FRAMES);
                    }
                    super.visitInsn(opcode);
                }
            };
        }
    }
}
