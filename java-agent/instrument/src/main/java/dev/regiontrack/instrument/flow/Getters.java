package dev.regiontrack.instrument.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The methods of a class that only return a field, or what an atomic object in a field has, and that cannot be overridden: what a call of one reads. */
final class Getters {
    private final ClassNode type;
    /** The instructions in place of a call, by name and descriptor. */
    private final Map<String, List<AbstractInsnNode>> bodies = new HashMap<>();

    Getters(ClassNode type, Variables variables) {
        this.type = type;
        for (MethodNode method : type.methods) {
            boolean isFixed = (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL | Opcodes.ACC_STATIC)) != 0 || (type.access & Opcodes.ACC_FINAL) != 0;
            boolean isPlain = (method.access & (Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) == 0 && method.desc.startsWith("()");
            List<AbstractInsnNode> body = isFixed && isPlain ? body(method, variables) : null;
            if (body != null) {
                bodies.put(method.name + method.desc, body);
            }
        }
    }

    private List<AbstractInsnNode> body(MethodNode method, Variables variables) {
        List<AbstractInsnNode> all = new ArrayList<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() >= 0) {
                all.add(insn);
            }
        }
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        int size = all.size();
        int read = isStatic ? 0 : 1;
        boolean isShort = size == read + 2 || size == read + 3 && variables.isRead(all.get(read + 1)) && ((MethodInsnNode) all.get(read + 1)).desc.startsWith("()");
        if (!isShort || !isStatic && all.get(0).getOpcode() != Opcodes.ALOAD) {
            return null;
        }
        int last = all.get(size - 1).getOpcode();
        boolean returns = last >= Opcodes.IRETURN && last <= Opcodes.ARETURN;
        boolean isOfField = all.get(read).getOpcode() == (isStatic ? Opcodes.GETSTATIC : Opcodes.GETFIELD)
            && (size == read + 2 || isFinal((FieldInsnNode) all.get(read)));
        return returns && isOfField && method.tryCatchBlocks.isEmpty() ? all.subList(read, size - 1) : null;
    }

    private boolean isFinal(FieldInsnNode insn) {
        boolean isOwn = insn.owner.equals(type.name);
        return isOwn && type.fields.stream().anyMatch(field -> field.name.equals(insn.name) && (field.access & Opcodes.ACC_FINAL) != 0);
    }

    /** The instructions in place of a call, with the same operand; null if it is not one of a getter. */
    List<AbstractInsnNode> of(AbstractInsnNode insn) {
        if (bodies.isEmpty() || !(insn instanceof MethodInsnNode) || insn.getOpcode() == Opcodes.INVOKEINTERFACE) {
            return null;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return call.owner.equals(type.name) ? bodies.get(call.name + call.desc) : null;
    }
}
