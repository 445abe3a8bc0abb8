package dev.regiontrack.instrument.code;

import dev.regiontrack.instrument.RuntimeNames;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The locals that hooks need, after the method's own: only those that this method uses, because each takes stack in
 * every call. The class file's frames get their types and are otherwise unchanged.
 */
public final class Locals {
    /** What a local is for. */
    public enum Use {
        /** The lock of a synchronized method; set at entry. */
        LOCK("java/lang/Object"),
        /** The number of blocks around an atomic method; set at entry. */
        OUTER(Opcodes.INTEGER),
        /** The step of an iterator that is in progress in an atomic method, or has failed; otherwise null. */
        STEP("java/lang/Object"),
        /**
         * A call that looks at a collection and is in progress in an atomic method, or has failed because it has not found something; otherwise null.
         */
        LOOK("java/lang/Object"),
        /** During an access at which threads are steered, its object; otherwise null. */
        STEERED("java/lang/Object"),
        /** The object that other threads can have from such an access on; otherwise null. */
        LEAVING("java/lang/Object"),
        /** The index of such an access to an element. */
        ELEMENT(Opcodes.INTEGER),
        /** A temporary value; in no frame, because no jump occurs while it is in use. */
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
    /** The most words that a single instruction's hooks need; they are in no frame. */
    private int scratch;

    /** The locals come after {@code given} too. */
    Locals(MethodNode method, int given) {
        this.method = method;
        state = Math.max(method.maxLocals, given + 1);
    }

    /** Returns the local of the thread's state. */
    int state() {
        return state;
    }

    /** Returns the local for this use. */
    int of(Use use) {
        if (!used.contains(use)) {
            used.add(use);
        }
        return state + 1 + used.indexOf(use);
    }

    /** Whether the method has a local for this use. */
    boolean has(Use use) {
        return used.contains(use);
    }

    /** Returns the first of {@code size} locals that are used only around one instruction. */
    int scratch(int size) {
        scratch = Math.max(scratch, size);
        return free();
    }

    /** Returns the first local after all of these. */
    int free() {
        return state + 1 + Use.values().length;
    }

    /** Updates the frames, once all uses are known. */
    void addToFrames() {
        method.maxLocals = scratch == 0 ? state + 1 + used.size() : scratch(0) + scratch;
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn instanceof FrameNode) {
                FrameNode frame = (FrameNode) insn;
                frame.local = extended(frame.local);
            }
        }
    }

    private List<Object> extended(List<Object> program) {
        List<Object> result = new ArrayList<>(program.size() + 1 + used.size());
        int size = 0;
        // A frame of code that replaces a call has locals behind these, too.
        for (int i = 0; i < program.size() && size < state; i++) {
            result.add(program.get(i));
            size += program.get(i) == Opcodes.LONG || program.get(i) == Opcodes.DOUBLE ? 2 : 1;
        }
        int taken = result.size();
        for (; size < state; size++) {
            result.add(Opcodes.TOP);
        }
        result.add(RuntimeNames.STATE);
        for (Use use : used) {
            result.add(use.type);
        }
        int own = 1 + used.size();
        if (program.size() > taken + own) {
            result.addAll(program.subList(taken + own, program.size()));
        }
        return result;
    }
}
