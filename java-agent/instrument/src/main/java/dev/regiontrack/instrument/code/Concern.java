package dev.regiontrack.instrument.code;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;

/** One concern of instrumentation: adds hooks around the instructions of one method that it applies to. */
public interface Concern {
    /** Whether it can apply to instructions of the method other than those that {@link MethodCode#isPlace}. */
    public default boolean concernsOthers() {
        return false;
    }

    /** Whether {@link #visit} needs the verifier's types before this instruction, which {@link MethodCode#isPlace}. */
    public default boolean needsFrame(AbstractInsnNode insn) {
        return false;
    }

    /**
     * Adds hooks around an instruction, if the concern applies to it. Called once for each instruction of the class
     * file, in order; for the others only if some concern of the method {@link #concernsOthers}.
     *
     * @param frame the types before it; null if no concern needs them, if it is unreachable, or if an old class file has no frames
     */
    public void visit(AbstractInsnNode insn, FrameNode frame);
}
