package dev.regiontrack.instrument.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A round of a loop that reads, tries a {@code compareAndSet}, and leads back to its start if that fails: then what it has read has no consequence
 * ({@link Rounds}). All instructions are the method's own; what a called method does is part of the call.
 */
public final class Round {
    /** The instruction at which it starts; nothing is on the stack there. */
    public final AbstractInsnNode start;
    private final FrameNode frame;
    private final Set<AbstractInsnNode> insns = new HashSet<>();
    private final Set<AbstractInsnNode> falling = new HashSet<>();
    private final Set<AbstractInsnNode> exits = new HashSet<>();
    private final List<MethodInsnNode> asks = new ArrayList<>();
    private final Map<AbstractInsnNode, FrameNode> throwing = new HashMap<>();

    Round(AbstractInsnNode start, FrameNode frame) {
        this.start = start;
        this.frame = frame;
    }

    void add(AbstractInsnNode insn) {
        insns.add(insn);
        if (Jumps.goesOn(insn) && Jumps.following(insn) == start) {
            falling.add(insn);
        }
    }

    void exit(AbstractInsnNode insn) {
        exits.add(insn);
    }

    void ask(MethodInsnNode call) {
        asks.add(call);
    }

    void throwsAt(AbstractInsnNode insn, FrameNode before) {
        throwing.put(insn, before);
    }

    /** Returns what the verifier knows at the start. */
    public FrameNode frame() {
        return frame;
    }

    /** Returns the instructions from which the round can lead back to its start, with no effect on the way except that of a {@code compareAndSet}. */
    public Set<AbstractInsnNode> insns() {
        return insns;
    }

    /** Returns those of them that are right before the start, and do not jump. */
    public Set<AbstractInsnNode> falling() {
        return falling;
    }

    /** Returns the instructions outside with which the code can go on: from there on, what was read has consequences. */
    public Set<AbstractInsnNode> exits() {
        return exits;
    }

    /** Returns the calls in the round of methods that may do nothing but read, which must be found out first. */
    public List<MethodInsnNode> asks() {
        return asks;
    }

    /** Returns the instructions in the round that can throw, and what the verifier knows before them. */
    public Map<AbstractInsnNode, FrameNode> throwing() {
        return throwing;
    }
}
