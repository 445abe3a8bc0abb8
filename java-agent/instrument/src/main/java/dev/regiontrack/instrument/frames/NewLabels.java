package dev.regiontrack.instrument.frames;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Puts a separate label directly before each {@code new}. A frame names an uninitialised object by the place of its
 * {@code new}. A class file can use a label for it that other labels and lines follow, between which a hook may be
 * inserted. So every frame uses the label after which nothing is inserted.
 */
public final class NewLabels {
    private final Set<LabelNode> labels = new HashSet<>();

    /** Adds the labels to the method, and makes its frames refer to them. */
    public NewLabels(MethodNode method) {
        Map<Object, LabelNode> names = new HashMap<>();
        List<LabelNode> waiting = new ArrayList<>();
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn instanceof LabelNode) {
                waiting.add((LabelNode) insn);
            } else if (insn.getOpcode() == Opcodes.NEW) {
                LabelNode label = new LabelNode();
                method.instructions.insertBefore(insn, label);
                labels.add(label);
                for (LabelNode same : waiting) {
                    names.put(same, label);
                }
            }
            if (insn.getOpcode() >= 0) {
                waiting.clear();
            }
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof FrameNode) {
                rename(((FrameNode) insn).local, names);
                rename(((FrameNode) insn).stack, names);
            }
        }
    }

    private static void rename(List<Object> types, Map<Object, LabelNode> names) {
        if (types != null) {
            for (int i = 0; i < types.size(); i++) {
                LabelNode label = names.get(types.get(i));
                types.set(i, label == null ? types.get(i) : label);
            }
        }
    }

    public boolean contains(AbstractInsnNode label) {
        return labels.contains(label);
    }
}
