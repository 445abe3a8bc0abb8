package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.selection.ArrayMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * The accesses of a method to elements of arrays that the method has made and that have not left it yet, whether or not such elements have hooks. {@link
 * Temporaries} are those among them that would have one.
 */
final class OwnElements implements ReferenceFlow.Listener {
    private final Map<AbstractInsnNode, Integer> accesses = new HashMap<>();
    /** The sources that can have left the method without being noticed. */
    private final Set<Integer> unknown = new HashSet<>();

    private OwnElements() {
    }

    /** Finds them; must be called before the class is changed. */
    static Set<AbstractInsnNode> of(ClassNode type, MethodNode method) {
        OwnElements found = new OwnElements();
        try {
            new ReferenceFlow(method, ArrayMode.ALL, new Passing(type, ArrayMode.ALL)).run(type.name, found);
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it.
            return Set.of();
        }
        Set<AbstractInsnNode> result = new HashSet<>();
        for (Map.Entry<AbstractInsnNode, Integer> access : found.accesses.entrySet()) {
            if (!found.unknown.contains(access.getValue())) {
                result.add(access.getKey());
            }
        }
        return result;
    }

    @Override
    public void access(AbstractInsnNode insn, int source, boolean isFirst) {
        if (insn.getOpcode() != Opcodes.GETFIELD && insn.getOpcode() != Opcodes.PUTFIELD) {
            accesses.put(insn, source);
        }
    }

    @Override
    public void leaves(AbstractInsnNode insn, int source, int above, int size, boolean isLast) {
        // What follows is no access of the method's own array.
    }

    @Override
    public void leavesUnknown(int source) {
        unknown.add(source);
    }
}
