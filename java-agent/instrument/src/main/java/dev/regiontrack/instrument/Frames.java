package dev.regiontrack.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The types of locals and operands before some instructions, as the verifier sees them: simulated from the frames that the class
 * file has, so that no class has to be known.
 */
final class Frames {
    private final Map<AbstractInsnNode, FrameNode> frames = new HashMap<>();

    /** Simulates the method; keeps what is before each of the instructions. Code that cannot be reached has no frame. */
    Frames(String type, MethodNode method, Set<AbstractInsnNode> wanted) {
        Map<Label, LabelNode> labels = new HashMap<>();
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn.getOpcode() == Opcodes.NEW) {
                // An object that is not initialised is named by the place of its making.
                method.instructions.insertBefore(insn, new LabelNode());
            }
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LabelNode) {
                labels.put(((LabelNode) insn).getLabel(), (LabelNode) insn);
            }
        }
        AnalyzerAdapter types = new Simulation(type, method);
        for (AbstractInsnNode insn : method.instructions) {
            if (wanted.contains(insn) && types.stack != null) {
                frames.put(insn, new FrameNode(Opcodes.F_NEW, 0, null, 0, null));
                frames.get(insn).local = listed(types.locals, labels);
                frames.get(insn).stack = listed(types.stack, labels);
            }
            insn.accept(types);
        }
    }

    /** The frame before an instruction; null if it cannot be reached. */
    FrameNode before(AbstractInsnNode insn) {
        return frames.get(insn);
    }

    /** A copy with one more operand. */
    static FrameNode plus(FrameNode frame, Object operand) {
        FrameNode copy = new FrameNode(Opcodes.F_NEW, 0, null, 0, null);
        copy.local = new ArrayList<>(frame.local);
        copy.stack = new ArrayList<>(frame.stack);
        copy.stack.add(operand);
        return copy;
    }

    /** A copy without operands. */
    static FrameNode empty(FrameNode frame) {
        FrameNode copy = new FrameNode(Opcodes.F_NEW, 0, null, 0, null);
        copy.local = new ArrayList<>(frame.local);
        copy.stack = new ArrayList<>();
        return copy;
    }

    /** A copy with one operand alone. */
    static FrameNode alone(FrameNode frame, Object operand) {
        return plus(empty(frame), operand);
    }

    /** The simulation has two entries for a long or double, a frame one. */
    private static List<Object> listed(List<Object> types, Map<Label, LabelNode> labels) {
        List<Object> result = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            Object type = types.get(i);
            result.add(type instanceof Label ? labels.get(type) : type);
            if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
                i++;
            }
        }
        return result;
    }

    private static final class Simulation extends AnalyzerAdapter {
        Simulation(String owner, MethodNode method) {
            super(Opcodes.ASM9, owner, method.access, method.name, method.desc, null);
        }
    }
}
