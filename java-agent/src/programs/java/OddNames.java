import static org.objectweb.asm.Opcodes.*;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/** Two threads access fields whose names no compiler of Java makes, but those of other languages do: with colons, and with what looks like a type. */
public class OddNames {
    private static final String NAME = "odd/Na:me";
    private static final String OBJECT = "java/lang/Object";
    private static final String SELF = 'L' + NAME + ';';

    private static final class Loader extends ClassLoader {
        Method load() throws ReflectiveOperationException {
            byte[] bytes = bytes();
            return defineClass(NAME.replace('/', '.'), bytes, 0, bytes.length).getMethod("run");
        }
    }

    private static byte[] bytes() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V11, ACC_PUBLIC | ACC_SUPER, NAME, null, OBJECT, null);
        writer.visitField(ACC_PUBLIC | ACC_STATIC, ":r:", 'L' + OBJECT + ';', null, null).visitEnd();
        writer.visitField(ACC_PUBLIC | ACC_STATIC, ":L:", "I", null, null).visitEnd();
        writer.visitField(ACC_PUBLIC | ACC_STATIC, "self", SELF, null, null).visitEnd();
        writer.visitField(ACC_PUBLIC | ACC_STATIC, "all:I", '[' + SELF, null, null).visitEnd();
        writer.visitField(ACC_PUBLIC, "x:I", "J", null, null).visitEnd();
        MethodVisitor init = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        init.visitCode();
        init.visitVarInsn(ALOAD, 0);
        init.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
        init.visitInsn(RETURN);
        init.visitMaxs(0, 0);
        init.visitEnd();
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "()I", null, null);
        code.visitCode();
        code.visitLdcInsn("any");
        code.visitFieldInsn(PUTSTATIC, NAME, ":r:", 'L' + OBJECT + ';');
        code.visitFieldInsn(GETSTATIC, NAME, ":r:", 'L' + OBJECT + ';');
        code.visitInsn(POP);
        code.visitFieldInsn(GETSTATIC, NAME, ":L:", "I");
        code.visitFieldInsn(PUTSTATIC, NAME, ":L:", "I");
        code.visitInsn(ICONST_1);
        code.visitTypeInsn(ANEWARRAY, NAME);
        code.visitFieldInsn(PUTSTATIC, NAME, "all:I", '[' + SELF);
        code.visitFieldInsn(GETSTATIC, NAME, "all:I", '[' + SELF);
        code.visitInsn(POP);
        code.visitTypeInsn(NEW, NAME);
        code.visitInsn(DUP);
        code.visitMethodInsn(INVOKESPECIAL, NAME, "<init>", "()V", false);
        code.visitInsn(DUP);
        code.visitFieldInsn(PUTSTATIC, NAME, "self", SELF);
        code.visitFieldInsn(GETSTATIC, NAME, "self", SELF);
        code.visitInsn(POP);
        code.visitInsn(DUP);
        code.visitLdcInsn(5L);
        code.visitFieldInsn(PUTFIELD, NAME, "x:I", "J");
        code.visitFieldInsn(GETFIELD, NAME, "x:I", "J");
        code.visitInsn(L2I);
        code.visitInsn(IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    public static void main(String[] args) throws Exception {
        Method run = new Loader().load();
        AtomicInteger sum = new AtomicInteger();
        Runnable runs = () -> {
            for (int i = 0; i < 10; i++) {
                try {
                    sum.addAndGet((Integer) run.invoke(null));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        Thread other = new Thread(runs);
        other.start();
        runs.run();
        other.join();
        System.out.println(sum);
    }
}
