package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.bridge.Bridge;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Decides which classes are instrumented, and which of their methods are atomic: asks the bridge, in the text that {@link Bridge#select}
 * documents.
 */
public final class MethodFilter {
    private final Bridge bridge;

    public MethodFilter(Bridge bridge) {
        this.bridge = bridge;
    }

    /** Whether classes of this name, in internal form, are to be instrumented. */
    public boolean includes(String internalName) {
        return bridge.includes(internalName);
    }

    /** Whether a class of the platform with this name, in internal form, is to be instrumented too. */
    public boolean names(String internalName) {
        return bridge.names(internalName);
    }

    /** Returns whether each method of the class is atomic, in order. */
    public boolean[] atomic(ClassNode type) {
        StringBuilder text = new StringBuilder();
        text.append("class\t").append(Integer.toHexString(type.access)).append('\t').append(type.name).append('\t')
            .append(type.superName).append('\t').append(type.sourceFile == null ? "" : type.sourceFile).append('\t');
        annotations(text, type.visibleAnnotations, type.invisibleAnnotations);
        text.append('\n');
        boolean[] result = new boolean[type.methods.size()];
        for (MethodNode method : type.methods) {
            if (method.instructions.size() > 0) {
                describe(text, method);
            }
        }
        String answer = bridge.select(text.toString());
        int at = 0;
        for (int i = 0; i < result.length; i++) {
            if (type.methods.get(i).instructions.size() > 0) {
                result[i] = answer.charAt(at++) == '1';
            }
        }
        return result;
    }

    private static void describe(StringBuilder text, MethodNode method) {
        text.append("method\t").append(Integer.toHexString(method.access)).append('\t').append(method.name).append('\t').append(method.desc).append('\t');
        annotations(text, method.visibleAnnotations, method.invisibleAnnotations);
        text.append('\t');
        String before = "";
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn instanceof MethodInsnNode) {
                MethodInsnNode call = (MethodInsnNode) insn;
                text.append(before).append(call.owner).append('.').append(call.name).append(call.desc);
                before = " ";
            }
        }
        text.append('\n');
    }

    private static void annotations(StringBuilder text, List<AnnotationNode> visible, List<AnnotationNode> invisible) {
        String before = "";
        for (List<AnnotationNode> all : java.util.Arrays.asList(visible, invisible)) {
            if (all != null) {
                for (AnnotationNode annotation : all) {
                    text.append(before).append(annotation.desc, 1, annotation.desc.length() - 1);
                    before = " ";
                }
            }
        }
    }
}
