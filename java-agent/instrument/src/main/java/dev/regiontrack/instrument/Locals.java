package dev.regiontrack.instrument;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The locals that hooks need, behind the method's own: only those that this method uses, since each takes stack in every call of it. The
 * frames of the class file get their types and stay as they are otherwise.
 */
final class Locals {
    /** What a local is for. */
    enum Use {
        /** The lock of a synchronized method; set at entry. */
        LOCK("java/lang/Object"),
        /** How many blocks an atomic method is in; set at entry. */
        OUTER(Opcodes.INTEGER),
        /** A value on its way past others; in no frame, as nothing jumps meanwhile. */
        VALUE(Opcodes.TOP);

        /** Its type in every frame. */
        final Object type;

        Use(Object type) {
            this.type = type;
        }
    }

    private final MethodNode method;
    private final int state;
    private final List<Use> used = new ArrayList<>();

    Locals(MethodNode method) {
        this.method = method;
        state = method.maxLocals;
    }

    /** The thread's state. */
    int state() {
        return state;
    }

    /** The local for this use. */
    int of(Use use) {
        if (!used.contains(use)) {
            used.add(use);
        }
        return state + 1 + used.indexOf(use);
    }

    /** Tells the frames, once all uses are known. */
    void addToFrames() {
        method.maxLocals = state + 1 + used.size();
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof FrameNode) {
                FrameNode frame = (FrameNode) insn;
                frame.local = extended(frame.local);
            }
        }
    }

    private List<Object> extended(List<Object> program) {
        List<Object> result = new ArrayList<>(program);
        int size = 0;
        for (Object type : program) {
            size += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; size < state; size++) {
            result.add(Opcodes.TOP);
        }
        result.add(MethodCode.STATE);
        for (Use use : used) {
            result.add(use.type);
        }
        return result;
    }
}
