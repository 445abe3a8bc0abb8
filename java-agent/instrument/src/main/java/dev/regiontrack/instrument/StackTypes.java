package dev.regiontrack.instrument;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** The types of the arrays that {@code aaload} instructions read, as the verifier sees them, where the class file's frames tell. */
final class StackTypes {
    private StackTypes() {
    }

    static Map<AbstractInsnNode, String> arrays(ClassNode type, MethodNode method) {
        Map<AbstractInsnNode, String> result = new HashMap<>();
        if (!hasArrayLoad(method)) {
            return result;
        }
        AnalyzerAdapter types = new Simulation(type.name, method);
        for (AbstractInsnNode insn : method.instructions) {
            List<Object> stack = types.stack;
            if (insn.getOpcode() == Opcodes.AALOAD && stack != null && stack.size() >= 2 && stack.get(stack.size() - 2) instanceof String) {
                result.put(insn, (String) stack.get(stack.size() - 2));
            }
            insn.accept(types);
        }
        return result;
    }

    private static boolean hasArrayLoad(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() == Opcodes.AALOAD) {
                return true;
            }
        }
        return false;
    }

    private static final class Simulation extends AnalyzerAdapter {
        Simulation(String owner, MethodNode method) {
            super(Opcodes.ASM9, owner, method.access, method.name, method.desc, null);
        }
    }
}
