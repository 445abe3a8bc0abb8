package dev.regiontrack.instrument.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/** A method's instructions by number, including labels and lines, and which can follow which. */
final class Jumps {
    private static final int[] NONE = {};

    private final AbstractInsnNode[] insns;
    private final Map<LabelNode, Integer> labels = new HashMap<>();
    private final int[][] next;
    private final int[][] handlers;
    /** What a walk does behind an instruction: it goes on, ends this path, or stops. */
    enum Step {
        ON, END, STOP
    }

    /** False for a method with subroutines, whose jumps are not followed. */
    final boolean areKnown;

    Jumps(MethodNode method) {
        insns = method.instructions.toArray();
        next = new int[insns.length][];
        handlers = new int[insns.length][];
        for (int i = 0; i < insns.length; i++) {
            if (insns[i] instanceof LabelNode) {
                labels.put((LabelNode) insns[i], i);
            }
        }
        boolean hasSubroutines = false;
        for (int i = 0; i < insns.length; i++) {
            next[i] = findNext(i);
            handlers[i] = NONE;
            hasSubroutines |= insns[i].getOpcode() == Opcodes.JSR || insns[i].getOpcode() == Opcodes.RET;
        }
        areKnown = !hasSubroutines;
        findHandlers(method);
    }

    private int[] findNext(int i) {
        boolean goesOn = goesOn(insns[i]) && i + 1 < insns.length;
        if (!canJump(insns[i])) {
            return goesOn ? new int[] {i + 1} : NONE;
        }
        List<LabelNode> targets = targets(insns[i]);
        int[] result = new int[targets.size() + (goesOn ? 1 : 0)];
        for (int k = 0; k < targets.size(); k++) {
            result[k] = number(targets.get(k));
        }
        if (goesOn) {
            result[targets.size()] = i + 1;
        }
        return result;
    }

    /** Whether the next instruction can follow. */
    static boolean goesOn(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        return op != Opcodes.GOTO && op != Opcodes.TABLESWITCH && op != Opcodes.LOOKUPSWITCH && op != Opcodes.ATHROW
            && (op < Opcodes.IRETURN || op > Opcodes.RETURN);
    }

    /** Returns the number of a label. */
    int number(LabelNode label) {
        return labels.get(label);
    }

    /** Whether there are {@link #targets}. */
    static boolean canJump(AbstractInsnNode insn) {
        int type = insn.getType();
        return type == AbstractInsnNode.JUMP_INSN || type == AbstractInsnNode.TABLESWITCH_INSN || type == AbstractInsnNode.LOOKUPSWITCH_INSN;
    }

    /** Returns the possible jump targets of an instruction. */
    static List<LabelNode> targets(AbstractInsnNode insn) {
        if (insn instanceof JumpInsnNode) {
            return List.of(((JumpInsnNode) insn).label);
        }
        if (insn instanceof TableSwitchInsnNode) {
            return with(((TableSwitchInsnNode) insn).labels, ((TableSwitchInsnNode) insn).dflt);
        }
        return insn instanceof LookupSwitchInsnNode ? with(((LookupSwitchInsnNode) insn).labels, ((LookupSwitchInsnNode) insn).dflt) : List.of();
    }

    private static List<LabelNode> with(List<LabelNode> labels, LabelNode other) {
        List<LabelNode> result = new ArrayList<>(labels);
        result.add(other);
        return result;
    }

    /** Returns the instruction after this one in the code, without labels, lines and frames; null if there is none. */
    static AbstractInsnNode following(AbstractInsnNode insn) {
        AbstractInsnNode next = insn == null ? null : insn.getNext();
        while (next != null && next.getOpcode() < 0) {
            next = next.getNext();
        }
        return next;
    }

    /** Whether an instruction of this method can jump to one before it. */
    static boolean leadsBack(AbstractInsnNode insn, MethodNode method) {
        if (canJump(insn)) {
            int at = method.instructions.indexOf(insn);
            for (LabelNode target : targets(insn)) {
                if (method.instructions.indexOf(target) < at) {
                    return true;
                }
            }
        }
        return false;
    }

    private void findHandlers(MethodNode method) {
        BitSet areCaught = new BitSet();
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            for (int i = areCaught.nextClearBit(number(block.start)); i < number(block.end); i = areCaught.nextClearBit(i + 1)) {
                handlers[i] = Arrays.copyOf(handlers[i], handlers[i].length + 1);
                handlers[i][handlers[i].length - 1] = number(block.handler);
            }
            if (block.type == null) {
                areCaught.set(number(block.start), number(block.end));
            }
        }
    }

    int size() {
        return insns.length;
    }

    AbstractInsnNode at(int i) {
        return insns[i];
    }

    /** Replaces an instruction by one that does not jump. */
    void replace(int i, AbstractInsnNode insn) {
        insns[i] = insn;
        next[i] = new int[] {i + 1};
    }

    /** Returns the instructions that can follow; for a jump that can also fall through, the next one comes last. */
    int[] next(int i) {
        return next[i];
    }

    /** Returns where exceptions of an instruction can be caught: no handler follows one that catches all. */
    int[] handlers(int i) {
        return handlers[i];
    }

    /** Returns the first real instruction from here on; the size if there is none. */
    int real(int i) {
        int at = i;
        while (at < insns.length && insns[at].getOpcode() < 0) {
            at++;
        }
        return at;
    }

    /** Visits each real instruction that can follow, this one first. Returns false if it was stopped, or came to the end of the code. */
    boolean walk(int from, IntFunction<Step> visitor) {
        return walk(from, new BitSet(), visitor);
    }

    /** The same, except for those that have been seen before; {@code seen} gets the others. */
    boolean walk(int from, BitSet seen, IntFunction<Step> visitor) {
        Walk walk = walk(from, seen);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            Step step = visitor.apply(i);
            if (step == Step.STOP) {
                return false;
            }
            if (step == Step.ON) {
                walk.goOn();
            }
        }
        return !walk.hasLeft();
    }

    /** Begins a walk at this instruction. */
    Walk walk(int from) {
        return walk(from, new BitSet());
    }

    /** The same, except for instructions that have been seen before; {@code seen} gets the others. */
    Walk walk(int from, BitSet seen) {
        return new Walk(from, seen);
    }

    /** Returns those of some instructions from which they lead back to this start. */
    BitSet leadingBack(int start, BitSet all) {
        BitSet result = new BitSet();
        for (boolean isDone = false; !isDone;) {
            isDone = true;
            for (int i = all.previousSetBit(size()); i >= 0; i = all.previousSetBit(i - 1)) {
                for (int next : result.get(i) ? new int[0] : next(i)) {
                    int to = real(next);
                    if (to == start || result.get(to)) {
                        result.set(i);
                        isDone = false;
                    }
                }
            }
        }
        return result;
    }

    /** A walk over the real instructions that can follow one, for a loop: nearly each program needs some, and a visitor would be a class for each. */
    final class Walk {
        private final BitSet seen;
        /** The instructions to visit, the next one last. */
        private int[] todo = new int[16];
        private int size;
        private int at = -1;
        private boolean hasLeft;

        private Walk(int from, BitSet seen) {
            this.seen = seen;
            add(real(from));
        }

        private void add(int i) {
            if (size == todo.length) {
                todo = Arrays.copyOf(todo, 2 * size);
            }
            todo[size++] = i;
        }

        /** Returns the next instruction, which was not visited before; -1 if there is none, or the walk has come to the end of the code. */
        int next() {
            while (size > 0 && !hasLeft) {
                at = todo[--size];
                hasLeft = at == insns.length;
                if (!hasLeft && !seen.get(at)) {
                    seen.set(at);
                    return at;
                }
            }
            return -1;
        }

        /** The walk is also to go to what can follow the instruction that is being visited. */
        void goOn() {
            for (int following : next[at]) {
                add(real(following));
            }
        }

        /** Whether the walk has come to the end of the code. */
        boolean hasLeft() {
            return hasLeft;
        }
    }
}
