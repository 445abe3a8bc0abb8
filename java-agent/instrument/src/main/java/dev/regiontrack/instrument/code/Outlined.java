package dev.regiontrack.instrument.code;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.runtime.bodies.Sampling;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Hooks that the JIT compiler does not inline: methods that call the hook of the same name. Where only a part of the run is watched, the
 * bodies with hooks are compiled together with the program's own, and should take little of the compiler's time.
 */
public final class Outlined {
    private static final String OWNER = RuntimeNames.OUTLINED;
    private static final String[] CLASSES = {RuntimeNames.HOOKS, RuntimeNames.INT_CHECKS, RuntimeNames.REFERENCE_CHECKS, RuntimeNames.LONG_READS,
        RuntimeNames.FLOAT_READS, RuntimeNames.DOUBLE_READS, RuntimeNames.OPERATION_HOOKS};

    private Outlined() {
    }

    /** Returns the class to call for a hook of this class. */
    static String owner(String owner) {
        return Sampling.isEverywhere() ? OWNER : owner;
    }

    /** Returns the method to call there. */
    static String name(String owner, String name) {
        return Sampling.isEverywhere() ? owner.substring(owner.lastIndexOf('/') + 1) + '_' + name : name;
    }

    /** Defines the methods. */
    public static void define() throws ClassNotFoundException {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, OWNER, null, "java/lang/Object", null);
        for (String owner : CLASSES) {
            for (Method hook : Class.forName(owner.replace('/', '.'), false, null).getDeclaredMethods()) {
                if (Modifier.isPublic(hook.getModifiers())) {
                    add(writer, owner, hook.getName(), Type.getMethodDescriptor(hook));
                }
            }
        }
        Sampling.define(writer.toByteArray());
    }

    private static void add(ClassWriter writer, String owner, String name, String desc) {
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, name(owner, name), desc, null, null);
        method.visitAnnotation("Ljdk/internal/vm/annotation/DontInline;", true).visitEnd();
        method.visitCode();
        int local = 0;
        for (Type type : Type.getArgumentTypes(desc)) {
            method.visitVarInsn(type.getOpcode(Opcodes.ILOAD), local);
            local += type.getSize();
        }
        method.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, desc, false);
        method.visitInsn(Type.getReturnType(desc).getOpcode(Opcodes.IRETURN));
        method.visitMaxs(0, 0);
        method.visitEnd();
    }
}
