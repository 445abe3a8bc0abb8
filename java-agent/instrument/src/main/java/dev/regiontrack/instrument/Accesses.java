package dev.regiontrack.instrument;

import static org.objectweb.asm.Opcodes.*;

import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Which instructions of a method are accesses to variables. */
final class Accesses {
    private Accesses() {
    }

    /** The accesses of a method, in code order. */
    static Set<AbstractInsnNode> of(ClassNode type, MethodNode method, ArrayMode arrays) {
        Set<AbstractInsnNode> result = new LinkedHashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            boolean isAny = insn instanceof FieldInsnNode ? !isOwnFinal(type, (FieldInsnNode) insn) : isElement(insn.getOpcode(), arrays);
            if (isAny && !Coverage.isAccess(insn)) {
                result.add(insn);
            }
        }
        return result;
    }

    private static boolean isElement(int op, ArrayMode arrays) {
        boolean isAny = op >= IALOAD && op <= SALOAD || op >= IASTORE && op <= SASTORE;
        return arrays == ArrayMode.ALL ? isAny : arrays == ArrayMode.REFS && (op == AALOAD || op == AASTORE);
    }

    private static boolean isOwnFinal(ClassNode type, FieldInsnNode insn) {
        if (insn.owner.equals(type.name)) {
            for (FieldNode field : type.fields) {
                if (field.name.equals(insn.name) && field.desc.equals(insn.desc)) {
                    return (field.access & ACC_FINAL) != 0;
                }
            }
        }
        return false;
    }
}
