package dev.regiontrack.instrument;

import dev.regiontrack.runtime.NativeBridge;
import dev.regiontrack.runtime.Transport;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hooks for fork, join and end of threads, in the JDK's own thread classes, so that threads started by executors and
 * other uninstrumented code count. The table of {@link Models} says where.
 *
 * <p>Without them in {@code java.lang.Thread} the program does not start; without them in virtual threads, which the program may not use,
 * the run is incomplete.
 */
final class ThreadTransformer implements ClassFileTransformer {
    private static final String THREADS = "dev/regiontrack/runtime/Threads";
    private static final String PLATFORM = "java.lang.Thread";
    private static final String VIRTUAL = "java.lang.VirtualThread";
    /** The problem with each class so far; empty if there is none. */
    private final Map<String, String> troubles = new HashMap<>();

    /** Transforms the classes, which are already loaded. */
    void retransform(Instrumentation instrumentation, Transport report) {
        String trouble = retransform(instrumentation, Thread.class);
        if (!trouble.isEmpty()) {
            Start.stop("this JVM's " + PLATFORM + " is not as expected: " + trouble);
        }
        try {
            trouble = retransform(instrumentation, Class.forName(VIRTUAL, false, null));
        } catch (ClassNotFoundException e) {
            return; // before Java 19
        }
        if (!trouble.isEmpty()) {
            report.describe(NativeBridge.FAILED, 1, VIRTUAL + ": " + trouble);
        }
    }

    private String retransform(Instrumentation instrumentation, Class<?> type) {
        try {
            instrumentation.retransformClasses(type);
        } catch (UnmodifiableClassException | LinkageError | RuntimeException e) {
            return e.toString();
        }
        return troubles.getOrDefault(type.getName(), "the JVM did not offer it for transformation");
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        List<Models.Entry> entries = loader == null && name != null ? Models.inside(name) : List.of();
        if (entries.isEmpty()) {
            return null;
        }
        String type = name.replace('/', '.');
        try {
            Set<Models.Effect> missing = EnumSet.noneOf(Models.Effect.class);
            byte[] result = hooked(bytes, entries, missing);
            troubles.put(type, missing.isEmpty() ? "" : "found no place for " + missing);
            return result;
        } catch (Throwable e) {
            // The JVM would ignore it.
            troubles.put(type, e.toString());
            return null;
        }
    }

    /** Adds the hooks of the entries; {@code missing} gets the effects for which no place was found. */
    static byte[] hooked(byte[] bytes, List<Models.Entry> entries, Set<Models.Effect> missing) {
        for (Models.Entry entry : entries) {
            missing.add(entry.effect);
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Hooking(writer, entries, missing), 0);
        return writer.toByteArray();
    }

    private static final class Hooking extends ClassVisitor {
        private final List<Models.Entry> entries;
        private final Set<Models.Effect> missing;

        Hooking(ClassVisitor next, List<Models.Entry> entries, Set<Models.Effect> missing) {
            super(Opcodes.ASM9, next);
            this.entries = entries;
            this.missing = missing;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    hook(Models.Place.ENTRY, name, desc);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                    hook(Models.Place.CALL_INSIDE, called, calledDesc);
                    super.visitMethodInsn(opcode, owner, called, calledDesc, isInterface);
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                        hook(Models.Place.RETURN, name, desc);
                    }
                    super.visitInsn(opcode);
                }

                private void hook(Models.Place place, String method, String methodDesc) {
                    for (Models.Entry entry : entries) {
                        if (entry.place == place && (entry.within.isEmpty() || entry.within.equals(name)) && entry.matches(method, methodDesc)) {
                            missing.remove(entry.effect);
                            super.visitVarInsn(Opcodes.ALOAD, 0);                            // thread
                            super.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, hookOf(entry.effect), "(Ljava/lang/Thread;)V", false);   // -
                        }
                    }
                }
            };
        }
    }

    private static String hookOf(Models.Effect effect) {
        switch (effect) {
            case FORK: return "fork";
            case JOIN: return "joined";
            case END: return "exit";
            default: throw new IllegalArgumentException(effect + " is no effect on a thread");
        }
    }
}
