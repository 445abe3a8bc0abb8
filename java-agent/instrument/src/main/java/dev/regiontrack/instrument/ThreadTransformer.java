package dev.regiontrack.instrument;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Fork, join and end of threads, in {@code java.lang.Thread} itself, so that executors and starters that are not instrumented count.
 *
 * <p>A fork stands before {@code start0}, where the thread is new for certain; a join at the return of the two joins that the
 * others call; the end in {@code exit}. Virtual threads have their own start and end.
 */
final class ThreadTransformer implements ClassFileTransformer {
    private static final String THREADS = "dev/regiontrack/runtime/Threads";
    private static final String VIRTUAL = "java/lang/VirtualThread";
    private int found;
    private Throwable failure;

    /** Transforms the classes, which are loaded long since. */
    void retransform(Instrumentation instrumentation) throws Exception {
        instrumentation.retransformClasses(Thread.class);
        if (failure != null || found < 3) {
            Start.stop("this JVM's java.lang.Thread is not as expected (" + found + " of start0, join, exit found" + (failure == null ? "" : ", " + failure) + ')');
        }
        try {
            instrumentation.retransformClasses(Class.forName("java.lang.VirtualThread", false, null));
        } catch (ClassNotFoundException e) {
            return; // before Java 21
        }
    }

    @Override
    public byte[] transform(Module module, ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (loader != null || !"java/lang/Thread".equals(name) && !VIRTUAL.equals(name)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Hooking(writer), 0);
            return writer.toByteArray();
        } catch (Throwable e) {
            failure = e;
            return null;
        }
    }

    private final class Hooking extends ClassVisitor {
        Hooking(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, desc, signature, exceptions);
            boolean isJoin = name.equals("join") && (desc.equals("(J)V") || desc.endsWith(")Z"));
            boolean isEnd = name.equals("exit") && desc.equals("()V") || name.equals("afterDone") && desc.equals("(Z)V");
            return next == null ? null : new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    if (isEnd) {
                        call("exit");
                    }
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String calledDesc, boolean isInterface) {
                    if (called.equals("start0") || name.equals("start") && called.contains("ubmitRunContinuation")) {
                        call("fork");
                    }
                    super.visitMethodInsn(opcode, owner, called, calledDesc, isInterface);
                }

                @Override
                public void visitInsn(int opcode) {
                    if (isJoin && (opcode == Opcodes.RETURN || opcode == Opcodes.IRETURN)) {
                        call("joined");
                    }
                    super.visitInsn(opcode);
                }

                private void call(String hook) {
                    found++;
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, THREADS, hook, "(Ljava/lang/Thread;)V", false);
                }
            };
        }
    }
}
