package dev.regiontrack.instrument;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;

/** One concern of instrumentation: puts its hooks around the instructions of one method that it is about. */
interface Concern {
    /** True if {@link #visit} needs the verifier's types before this instruction. */
    boolean needsFrame(AbstractInsnNode insn);

    /**
     * Puts hooks around an instruction, if the concern is about it. Shown once for each instruction of the class file, in order.
     *
     * @param frame the types before it; null if no concern needs them, if it cannot be reached, or if an old class file does not tell
     */
    void visit(AbstractInsnNode insn, FrameNode frame);
}
