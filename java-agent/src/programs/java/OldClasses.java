import static org.objectweb.asm.Opcodes.*;

import java.util.concurrent.CountDownLatch;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** Runs classes of old formats: subroutines, no class constants, no frames; and an access that the JVM rejects. */
public class OldClasses {
    static final class Loader extends ClassLoader {
        Loader() {
            super(OldClasses.class.getClassLoader());
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int version : new int[] {V1_1, V1_4, V1_5, V1_6}) {
            Class<?> c = new Loader().define("old.Legacy", legacy(version));
            System.out.println(c.getMethod("run", int.class).invoke(null, 5) + " " + c.getMethod("run", int.class).invoke(null, 7));
            System.out.println(new Loader().define("old.Lending", lending(version)).getMethod("run").invoke(null));
        }
        Loader loader = new Loader();
        loader.define("old.Config", initialised());
        System.out.println(loader.define("old.Reading", reading()).getMethod("run").invoke(null));
        loader.define("old.Holder", holder());
        Class<?> c = loader.define("old.Refused", refused());
        for (String name : new String[] {"put", "missing", "put"}) {
            try {
                c.getMethod(name).invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause().getClass().getName());
            }
        }
        // Started before: main must not reach a hook that would clean up after the rejected write.
        CountDownLatch refused = new CountDownLatch(1);
        java.lang.reflect.Method touch = loader.loadClass("old.Holder").getMethod("touch");
        java.lang.reflect.Method put = c.getMethod("run");
        Thread other = new Thread(() -> {
            try {
                refused.await();
                touch.invoke(null);
                System.out.println("free");
            } catch (ReflectiveOperationException | InterruptedException e) {
                System.out.println(e);
            }
        });
        other.setDaemon(true);
        other.start();
        try {
            put.invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            // No hook here, and none in run(), which is not a block.
        }
        refused.countDown();
        other.join(60_000);
        System.out.println(other.isAlive() ? "locked" : "ended");
    }

    /** static synchronized int run(int n): counts in a field, in a finally that is a subroutine. */
    private static byte[] legacy(int version) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, "old/Legacy", null, "java/lang/Object", null);
        w.visitField(ACC_STATIC, "count", "I", null, null);
        w.visitField(ACC_STATIC, "last", "Ljava/lang/Object;", null, null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC | ACC_SYNCHRONIZED, "run", "(I)I", null, null);
        Label from = new Label();
        Label to = new Label();
        Label handler = new Label();
        Label sub = new Label();
        m.visitCode();
        m.visitTryCatchBlock(from, to, handler, null);
        m.visitLabel(from);
        m.visitVarInsn(ILOAD, 0);
        m.visitFieldInsn(PUTSTATIC, "old/Legacy", "count", "I");
        call(m, version, sub);
        m.visitFieldInsn(GETSTATIC, "old/Legacy", "count", "I");
        m.visitInsn(IRETURN);
        m.visitLabel(to);
        m.visitLabel(handler);
        m.visitVarInsn(ASTORE, 1);
        call(m, version, sub);
        m.visitVarInsn(ALOAD, 1);
        m.visitInsn(ATHROW);
        if (version < V1_6) {
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 2);
            body(m);
            m.visitVarInsn(RET, 2);
        }
        m.visitMaxs(0, 0);
        m.visitEnd();
        w.visitEnd();
        return w.toByteArray();
    }

    private static void call(MethodVisitor m, int version, Label sub) {
        if (version < V1_6) {
            m.visitJumpInsn(JSR, sub);
        } else {
            body(m);
        }
    }

    private static void body(MethodVisitor m) {
        m.visitFieldInsn(GETSTATIC, "old/Legacy", "count", "I");
        m.visitInsn(ICONST_2);
        m.visitInsn(IMUL);
        m.visitFieldInsn(PUTSTATIC, "old/Legacy", "count", "I");
        m.visitFieldInsn(GETSTATIC, "old/Legacy", "last", "Ljava/lang/Object;");
        m.visitInsn(POP);
        m.visitLdcInsn("x");
        m.visitFieldInsn(PUTSTATIC, "old/Legacy", "last", "Ljava/lang/Object;");
    }

    /** static int run(): passes a new array to a method that keeps it nowhere. */
    private static byte[] lending(int version) {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(version, ACC_PUBLIC | ACC_SUPER, "old/Lending", null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "()I", null, null);
        m.visitCode();
        m.visitInsn(ICONST_3);
        m.visitTypeInsn(ANEWARRAY, "java/lang/Object");
        m.visitInsn(DUP);
        m.visitInsn(ICONST_1);
        m.visitLdcInsn("one");
        m.visitInsn(AASTORE);
        m.visitMethodInsn(INVOKESTATIC, "old/Lending", "count", "([Ljava/lang/Object;)I", false);
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        count(w.visitMethod(ACC_STATIC, "count", "([Ljava/lang/Object;)I", null, null), version);
        w.visitEnd();
        return w.toByteArray();
    }

    /** static int count(Object[] all): how many are not null. Local 1, which is where a copy has one more parameter, is an integer. */
    private static void count(MethodVisitor m, int version) {
        Label next = new Label();
        Label after = new Label();
        Label none = new Label();
        m.visitCode();
        m.visitInsn(ICONST_0);
        m.visitVarInsn(ISTORE, 1);
        m.visitInsn(ICONST_0);
        m.visitVarInsn(ISTORE, 2);
        m.visitLabel(next);
        frame(m, version);
        m.visitVarInsn(ILOAD, 2);
        m.visitVarInsn(ALOAD, 0);
        m.visitInsn(ARRAYLENGTH);
        m.visitJumpInsn(IF_ICMPEQ, after);
        m.visitVarInsn(ALOAD, 0);
        m.visitVarInsn(ILOAD, 2);
        m.visitInsn(AALOAD);
        m.visitJumpInsn(IFNULL, none);
        m.visitIincInsn(1, 1);
        m.visitLabel(none);
        frame(m, version);
        m.visitIincInsn(2, 1);
        m.visitJumpInsn(GOTO, next);
        m.visitLabel(after);
        frame(m, version);
        m.visitVarInsn(ILOAD, 1);
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
    }

    private static void frame(MethodVisitor m, int version) {
        if (version == V1_6) {
            m.visitFrame(F_NEW, 3, new Object[] {"[Ljava/lang/Object;", INTEGER, INTEGER}, 0, new Object[0]);
        }
    }

    /** A class whose initialiser writes and reads its static field. */
    private static byte[] initialised() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V1_5, ACC_PUBLIC | ACC_SUPER, "old/Config", null, "java/lang/Object", null);
        w.visitField(ACC_PUBLIC | ACC_STATIC, "level", "I", null, null);
        MethodVisitor m = w.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        m.visitCode();
        m.visitInsn(ICONST_3);
        m.visitFieldInsn(PUTSTATIC, "old/Config", "level", "I");
        m.visitFieldInsn(GETSTATIC, "old/Config", "level", "I");
        m.visitInsn(ICONST_2);
        m.visitInsn(IMUL);
        m.visitFieldInsn(PUTSTATIC, "old/Config", "level", "I");
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        w.visitEnd();
        return w.toByteArray();
    }

    /** static int run(): reads that field, which initialises its class. */
    private static byte[] reading() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V1_5, ACC_PUBLIC | ACC_SUPER, "old/Reading", null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "()I", null, null);
        m.visitCode();
        m.visitFieldInsn(GETSTATIC, "old/Config", "level", "I");
        m.visitInsn(IRETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        w.visitEnd();
        return w.toByteArray();
    }

    private static byte[] holder() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC | ACC_SUPER, "old/Holder", null, "java/lang/Object", null);
        w.visitField(ACC_PRIVATE | ACC_STATIC, "secret", "I", null, null);
        MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, "touch", "()V", null, null);
        m.visitCode();
        m.visitInsn(ICONST_2);
        m.visitFieldInsn(PUTSTATIC, "old/Holder", "secret", "I");
        m.visitInsn(RETURN);
        m.visitMaxs(0, 0);
        m.visitEnd();
        w.visitEnd();
        return w.toByteArray();
    }

    private static byte[] refused() {
        ClassWriter w = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        w.visit(V11, ACC_PUBLIC | ACC_SUPER, "old/Refused", null, "java/lang/Object", null);
        for (String[] p : new String[][] {{"put", "old/Holder"}, {"missing", "old/Nowhere"}, {"run", "old/Holder"}}) {
            MethodVisitor m = w.visitMethod(ACC_PUBLIC | ACC_STATIC, p[0], "()V", null, null);
            m.visitCode();
            m.visitInsn(ICONST_1);
            m.visitFieldInsn(PUTSTATIC, p[1], "secret", "I");
            m.visitInsn(RETURN);
            m.visitMaxs(0, 0);
            m.visitEnd();
        }
        w.visitEnd();
        return w.toByteArray();
    }
}
