package dev.regiontrack.instrument.flow;

import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Recognises what JaCoCo adds to a class: members named {@code $jacoco..}, and probes that write to an array shared by
 * all threads. These are not part of the program: as accesses, the probes would be conflicts between any two calls of
 * one method.
 */
public final class Coverage {
    private static final String PREFIX = "$jacoco";

    private Coverage() {
    }

    /** Whether JaCoCo has added the method. */
    public static boolean isAdded(MethodNode method) {
        return (method.access & Opcodes.ACC_SYNTHETIC) != 0 && method.name.startsWith(PREFIX);
    }

    /** Whether this is an access to a field added by JaCoCo, or to the array of probes. */
    static boolean isAccess(AbstractInsnNode insn) {
        if (insn instanceof FieldInsnNode) {
            return ((FieldInsnNode) insn).name.startsWith(PREFIX);
        }
        return insn.getOpcode() == Opcodes.BASTORE && isProbe(insn);
    }

    /** {@code aload probes, push number, iconst_1, bastore}, where the local was set from a member added by JaCoCo. */
    private static boolean isProbe(AbstractInsnNode store) {
        AbstractInsnNode load = back(store, 3);
        if (load == null || load.getOpcode() != Opcodes.ALOAD || store.getPrevious().getOpcode() != Opcodes.ICONST_1) {
            return false;
        }
        for (AbstractInsnNode insn = load.getPrevious(); insn != null; insn = insn.getPrevious()) {
            if (insn.getOpcode() == Opcodes.ASTORE && ((VarInsnNode) insn).var == ((VarInsnNode) load).var) {
                AbstractInsnNode from = insn.getPrevious();
                return from != null && isProbes(from.getOpcode() == Opcodes.CHECKCAST ? from.getPrevious() : from);
            }
        }
        return false;
    }

    private static AbstractInsnNode back(AbstractInsnNode insn, int steps) {
        AbstractInsnNode result = insn;
        for (int i = 0; i < steps && result != null; i++) {
            result = result.getPrevious();
        }
        return result;
    }

    /** Whether the instruction pushes the array of probes: a call of JaCoCo's method or, from Java 11 on, a dynamic constant. */
    static boolean isProbes(AbstractInsnNode insn) {
        if (insn instanceof MethodInsnNode) {
            return ((MethodInsnNode) insn).name.startsWith(PREFIX);
        }
        Object constant = insn instanceof LdcInsnNode ? ((LdcInsnNode) insn).cst : null;
        return constant instanceof ConstantDynamic && ((ConstantDynamic) constant).getName().startsWith(PREFIX);
    }
}
