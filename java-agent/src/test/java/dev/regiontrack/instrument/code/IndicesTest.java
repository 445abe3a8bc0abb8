package dev.regiontrack.instrument.code;

import static org.junit.Assert.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The indices of instructions in class files without line numbers. */
public class IndicesTest {
    private static final int CONSTANTS = 300;

    private final ClassWriter writer = new ClassWriter(0);
    private final List<Label> labels = new ArrayList<>();

    private MethodVisitor method(String name) {
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, name, "(IJ)V", null, new String[] {"java/io/IOException"});
        method.visitCode();
        return method;
    }

    private MethodVisitor at(MethodVisitor method) {
        Label label = new Label();
        labels.add(label);
        method.visitLabel(label);
        return method;
    }

    private void end(MethodVisitor method) {
        at(method).visitInsn(Opcodes.RETURN);
        method.visitMaxs(300, 400);
        method.visitEnd();
    }

    private ClassReader written() {
        writer.visitEnd();
        return new ClassReader(writer.toByteArray());
    }

    private static ClassNode tree(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.EXPAND_FRAMES);
        return type;
    }

    private static int[] indices(ClassReader reader, String name) {
        ClassNode type = tree(reader);
        return Indices.of(reader, type).of(named(type, name));
    }

    private static MethodNode named(ClassNode type, String name) {
        for (MethodNode method : type.methods) {
            if (method.name.equals(name)) {
                return method;
            }
        }
        throw new AssertionError(name);
    }

    /** Begins a class with fields, which precede its methods in the file. */
    private void begin(int version) {
        writer.visit(version, 0, "T", null, "java/lang/Object", new String[] {"java/lang/Runnable", "java/io/Serializable"});
        writer.visitField(Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, "constant", "J", null, 3L).visitEnd();
        writer.visitField(0, "field", "I", "I", null).visitEnd();
        end(method("before"));
        labels.clear();
    }

    @Test
    public void every_form_of_an_instruction_has_its_size() {
        begin(Opcodes.V1_6);
        MethodVisitor m = method("m");
        at(m).visitInsn(Opcodes.ICONST_0);
        at(m).visitIntInsn(Opcodes.BIPUSH, 3);
        at(m).visitIntInsn(Opcodes.SIPUSH, 3000);
        at(m).visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_INT);
        for (int i = 0; i < CONSTANTS; i++) {
            // Constants with an index above 255 take one byte more.
            at(m).visitLdcInsn("constant " + i);
        }
        at(m).visitLdcInsn(7L);
        for (int local : new int[] {0, 3, 4, 255, 256}) {
            at(m).visitVarInsn(Opcodes.ALOAD, local);
            at(m).visitVarInsn(Opcodes.DSTORE, local);
            at(m).visitIincInsn(local, 1);
            at(m).visitIincInsn(local, 1000);
        }
        Label target = new Label();
        at(m).visitJumpInsn(Opcodes.IFNULL, target);
        at(m).visitJumpInsn(Opcodes.IF_ICMPEQ, target);
        for (int i = 0; i < 4; i++) {
            // Switches begin at each of four residues.
            at(m).visitInsn(Opcodes.NOP);
            at(m).visitTableSwitchInsn(-1, 2, target, target, target, target, target);
            at(m).visitLookupSwitchInsn(target, new int[] {1, 5}, new Label[] {target, target});
            at(m).visitLookupSwitchInsn(target, new int[] {}, new Label[] {});
        }
        at(m).visitFieldInsn(Opcodes.GETSTATIC, "T", "constant", "J");
        at(m).visitFieldInsn(Opcodes.PUTFIELD, "T", "field", "I");
        at(m).visitMethodInsn(Opcodes.INVOKEVIRTUAL, "T", "n", "()V", false);
        at(m).visitMethodInsn(Opcodes.INVOKEINTERFACE, "I", "n", "()V", true);
        at(m).visitTypeInsn(Opcodes.NEW, "T");
        at(m).visitTypeInsn(Opcodes.ANEWARRAY, "T");
        at(m).visitTypeInsn(Opcodes.CHECKCAST, "T");
        at(m).visitTypeInsn(Opcodes.INSTANCEOF, "T");
        at(m).visitMultiANewArrayInsn("[[I", 2);
        at(m).visitInsn(Opcodes.ARRAYLENGTH);
        at(m).visitInsn(Opcodes.MONITORENTER);
        at(m).visitInsn(Opcodes.MONITOREXIT);
        m.visitLabel(target);
        end(m);
        ClassReader reader = written();
        int[] found = indices(reader, "m");
        assertArrayEquals(labels.stream().mapToInt(Label::getOffset).toArray(), found);
        assertArrayEquals(new int[] {0}, indices(reader, "before"));
    }

    @Test
    public void jumps_that_go_far_are_longer() {
        begin(Opcodes.V1_6);
        MethodVisitor m = method("m");
        Label end = new Label();
        at(m).visitJumpInsn(Opcodes.GOTO, end);
        for (int i = 0; i < 40_000; i++) {
            at(m).visitInsn(Opcodes.NOP);
        }
        m.visitLabel(end);
        end(m);
        int[] found = indices(written(), "m");
        assertEquals(labels.size(), found.length);
        assertEquals("goto_w has five bytes", 5, found[1]);
        assertEquals(40_004, found[40_000]);
    }

    @Test
    public void methods_with_lines_and_with_subroutines_have_none() {
        begin(Opcodes.V1_4);
        MethodVisitor m = method("lines");
        at(m).visitLineNumber(3, labels.get(0));
        end(m);
        m = method("subroutine");
        Label routine = new Label();
        m.visitJumpInsn(Opcodes.JSR, routine);
        m.visitInsn(Opcodes.RETURN);
        m.visitLabel(routine);
        m.visitVarInsn(Opcodes.ASTORE, 4);
        m.visitVarInsn(Opcodes.RET, 4);
        m.visitMaxs(1, 5);
        m.visitEnd();
        ClassReader reader = written();
        assertNull(indices(reader, "lines"));
        assertNull(indices(reader, "subroutine"));
        assertNull("nor has what is in no file", Indices.of(reader, tree(reader)).of(new MethodNode(0, "other", "()V", null, null)));
    }

    @Test
    public void a_copy_has_those_of_its_method_and_one_with_hooks_has_none() {
        begin(Opcodes.V1_6);
        ClassReader reader = written();
        ClassNode type = tree(reader);
        Indices indices = Indices.of(reader, type);
        MethodNode method = named(type, "before");
        MethodNode copy = new MethodNode(Opcodes.ASM9, method.access, method.name, method.desc, null, null);
        method.accept(copy);
        assertArrayEquals(new int[] {0}, indices.of(copy));
        copy.instructions.insert(new InsnNode(Opcodes.NOP));
        assertNull(indices.of(copy));
    }

    @Test
    public void a_call_has_its_former_index_when_there_are_hooks() {
        begin(Opcodes.V1_6);
        for (String name : new String[] {"hooked", "plain"}) {
            MethodVisitor m = method(name);
            m.visitInsn(Opcodes.NOP);
            m.visitMethodInsn(Opcodes.INVOKESTATIC, "T", "n", "()V", false);
            m.visitMethodInsn(Opcodes.INVOKESTATIC, "T", "o", "()V", false);
            end(m);
        }
        ClassReader reader = written();
        ClassNode type = tree(reader);
        Indices indices = Indices.of(reader, type);
        MethodNode method = named(type, "hooked");
        int[] before = indices.of(method);
        AbstractInsnNode[] program = method.instructions.toArray();
        for (int i = 0; i < before.length; i++) {
            indices.keep(program[i], before[i]);
        }
        method.instructions.insert(program[1], new MethodInsnNode(Opcodes.INVOKESTATIC, "H", "hook", "()V", false));
        ClassWriter hooked = new ClassWriter(0);
        type.accept(hooked);
        Map<String, int[]> now = indices.now(hooked.toByteArray(), type);
        assertArrayEquals(new int[] {1, 1, 7, 4}, now.get("hooked(IJ)V"));
        assertArrayEquals(new int[] {1, 1, 4, 4}, now.get("plain(IJ)V"));
    }

    /** Of classes of the JDK without their lines: as many as the tree has. */
    @Test
    public void released_classes_are_read_like_their_trees() throws IOException {
        int methods = 0;
        for (Class<?> c : Arrays.asList(String.class, StringBuffer.class, ConcurrentHashMap.class, ForkJoinPool.class, java.util.Formatter.class, java.math.BigInteger.class)) {
            ClassReader reader = new ClassReader(c.getName());
            ClassNode type = new ClassNode();
            reader.accept(type, ClassReader.EXPAND_FRAMES | ClassReader.SKIP_DEBUG);
            Indices indices = Indices.of(reader, type);
            for (MethodNode method : type.methods) {
                if (method.instructions.size() > 0) {
                    int[] found = indices.of(method);
                    assertNotNull(c + " " + method.name + method.desc, found);
                    methods++;
                }
            }
        }
        assertTrue(methods > 500);
    }
}
