import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/** Initialises a class whose initialiser has the maximum size of a method: alone, beside another thread, or starting a thread inside. */
public class LargeInitializer {
    private static final String NAME = "made/Large";
    private static final int WRITES = 13_000;

    static final class Loader extends ClassLoader {
        Loader() {
            super(LargeInitializer.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(NAME.replace('/', '.'), bytes, 0, bytes.length);
        }
    }

    /** Called by the initialiser. */
    public static void started() {
        join(new Thread(() -> { }));
    }

    private static void join(Thread thread) {
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] large(boolean starts, boolean throwsAtEnd) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, NAME, null, "java/lang/Object", null);
        writer.visitField(ACC_PUBLIC | ACC_STATIC, "x", "I", null, null).visitEnd();
        MethodVisitor code = writer.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        for (int i = 0; i < WRITES; i++) {
            code.visitInsn(ICONST_0 + i % 6);
            code.visitFieldInsn(PUTSTATIC, NAME, "x", "I");
        }
        if (starts) {
            code.visitMethodInsn(INVOKESTATIC, "LargeInitializer", "started", "()V", false);
        }
        if (throwsAtEnd) {
            code.visitInsn(ACONST_NULL);
            code.visitInsn(ATHROW);
        } else {
            code.visitInsn(RETURN);
        }
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("with")) {
            join(new Thread(() -> { }));
        }
        Class<?> made = new Loader().define(large(!args[0].equals("alone"), args[0].equals("throws")));
        try {
            System.out.println(made.getField("x").get(null));
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getCause());
        }
        started();
    }
}
