import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** Reads fields while an object is allocated but not initialised, and allocates where a hook is inserted. */
public class Uninitialized {
    private static final String NAME = "made/Here";
    private static final String OBJECT = "java/lang/Object";
    private List<String> source = List.of("a", "b");

    /** A {@code new} follows the {@code monitorenter}, and a field is read before the object is initialised. */
    int copied() {
        synchronized (this) {
            List<String> copy = new ArrayList<>(source);
            return copy.size();
        }
    }

    int copiedInLoop(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            synchronized (source) {
                sum += new ArrayList<>(i % 2 == 0 ? source : new ArrayList<>(source)).size();
            }
        }
        return sum;
    }

    /** A method of the generated class: takes nothing, returns {@code Here.x} or a sum of it. */
    interface Body {
        void write(MethodVisitor code);
    }

    static final class Loader extends ClassLoader {
        Loader() {
            super(Uninitialized.class.getClassLoader());
        }

        int run(Body body) throws ReflectiveOperationException {
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            writer.visit(V11, ACC_PUBLIC | ACC_SUPER, NAME, null, OBJECT, null);
            writer.visitField(ACC_PUBLIC | ACC_STATIC, "x", "I", null, 3).visitEnd();
            MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", "()I", null, null);
            code.visitCode();
            body.write(code);
            code.visitMaxs(0, 0);
            code.visitEnd();
            writer.visitEnd();
            byte[] bytes = writer.toByteArray();
            return (Integer) defineClass(NAME.replace('/', '.'), bytes, 0, bytes.length).getMethod("run").invoke(null);
        }
    }

    private static void x(MethodVisitor code, int op) {
        code.visitFieldInsn(op, NAME, "x", "I");
    }

    private static void make(MethodVisitor code, String type) {
        code.visitTypeInsn(NEW, type);
    }

    private static void initialize(MethodVisitor code, String type) {
        code.visitMethodInsn(INVOKESPECIAL, type, "<init>", "()V", false);
    }

    private static void readAndDrop(MethodVisitor code) {
        x(code, GETSTATIC);
        code.visitInsn(POP);
    }

    private static Label label(MethodVisitor code) {
        Label label = new Label();
        code.visitLabel(label);
        return label;
    }

    private static void result(MethodVisitor code) {
        x(code, GETSTATIC);
        code.visitInsn(IRETURN);
    }

    /** The frame of the class file names the object by a label with other labels between it and the {@code new}. */
    private static void firstInMonitor(MethodVisitor code) {
        code.visitLdcInsn("lock");
        code.visitInsn(DUP);
        code.visitVarInsn(ASTORE, 0);
        code.visitInsn(MONITORENTER);
        Label made = label(code);
        code.visitLineNumber(7, label(code));
        make(code, OBJECT);
        x(code, GETSTATIC);
        Label joined = new Label();
        code.visitJumpInsn(IFEQ, joined);
        readAndDrop(code);
        code.visitLabel(joined);
        code.visitFrame(F_NEW, 1, new Object[] {"java/lang/String"}, 1, new Object[] {made});
        readAndDrop(code);
        initialize(code, OBJECT);
        code.visitVarInsn(ALOAD, 0);
        code.visitInsn(MONITOREXIT);
        result(code);
    }

    /** Jumps to the {@code new} itself, in a loop, right after a write. */
    private static void jumpTarget(MethodVisitor code) {
        code.visitInsn(ICONST_3);
        code.visitVarInsn(ISTORE, 0);
        code.visitInsn(ICONST_4);
        x(code, PUTSTATIC);
        Label made = label(code);
        code.visitFrame(F_NEW, 1, new Object[] {INTEGER}, 0, new Object[0]);
        make(code, OBJECT);
        code.visitVarInsn(ASTORE, 1);
        readAndDrop(code);
        code.visitIincInsn(0, -1);
        code.visitVarInsn(ILOAD, 0);
        code.visitJumpInsn(IFGT, made);
        code.visitVarInsn(ALOAD, 1);
        readAndDrop(code);
        initialize(code, OBJECT);
        result(code);
    }

    /** Two in a row, initialised in reverse order. */
    private static void consecutive(MethodVisitor code) {
        label(code);
        make(code, "java/lang/StringBuilder");
        make(code, OBJECT);
        readAndDrop(code);
        initialize(code, OBJECT);
        readAndDrop(code);
        initialize(code, "java/lang/StringBuilder");
        result(code);
    }

    /** A loop with a field read at its start while the object is on the stack: its frame comes before the {@code new} in the file. */
    private static void frameBeforeNew(MethodVisitor code) {
        Label made = new Label();
        Label back = new Label();
        code.visitJumpInsn(GOTO, made);
        code.visitLabel(back);
        code.visitFrame(F_NEW, 0, new Object[0], 1, new Object[] {made});
        readAndDrop(code);
        initialize(code, OBJECT);
        result(code);
        code.visitLabel(made);
        code.visitFrame(F_NEW, 0, new Object[0], 0, new Object[0]);
        make(code, OBJECT);
        readAndDrop(code);
        code.visitJumpInsn(GOTO, back);
    }

    /** Unreachable, but verified: the {@code new} discards the object of an earlier round. */
    private static void unreachable(MethodVisitor code) {
        result(code);
        Label made = new Label();
        code.visitFrame(F_NEW, 1, new Object[] {made}, 0, new Object[0]);
        readAndDrop(code);
        code.visitLabel(made);
        make(code, OBJECT);
        readAndDrop(code);
        initialize(code, OBJECT);
        result(code);
    }

    /** Right after the exit from a monitor and right after a write: both are followed by hooks. */
    private static void behindHooks(MethodVisitor code) {
        code.visitLdcInsn("lock");
        code.visitInsn(DUP);
        code.visitVarInsn(ASTORE, 0);
        code.visitInsn(MONITORENTER);
        readAndDrop(code);
        code.visitVarInsn(ALOAD, 0);
        code.visitInsn(MONITOREXIT);
        label(code);
        make(code, OBJECT);
        readAndDrop(code);
        initialize(code, OBJECT);
        code.visitInsn(ICONST_5);
        x(code, PUTSTATIC);
        label(code);
        make(code, OBJECT);
        readAndDrop(code);
        initialize(code, OBJECT);
        result(code);
    }

    public static void main(String[] args) throws Exception {
        Uninitialized here = new Uninitialized();
        System.out.println(here.copied() + " " + here.copiedInLoop(5));
        Body[] bodies = {Uninitialized::firstInMonitor, Uninitialized::jumpTarget, Uninitialized::consecutive, Uninitialized::frameBeforeNew,
            Uninitialized::unreachable, Uninitialized::behindHooks};
        for (Body body : bodies) {
            System.out.println(new Loader().run(body));
        }
    }
}
