package dev.regiontrack.instrument.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
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

/** A method's instructions by number, labels and lines among them, and which can follow which. */
final class Jumps {
    private final AbstractInsnNode[] insns;
    private final Map<AbstractInsnNode, Integer> numbers = new HashMap<>();
    private final int[][] next;
    private final int[][] handlers;
    /** What a walk does behind an instruction: it goes on, goes no further there, or stops. */
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
            numbers.put(insns[i], i);
        }
        boolean hasSubroutines = false;
        for (int i = 0; i < insns.length; i++) {
            next[i] = findNext(i);
            hasSubroutines |= insns[i].getOpcode() == Opcodes.JSR || insns[i].getOpcode() == Opcodes.RET;
        }
        areKnown = !hasSubroutines;
        findHandlers(method);
    }

    private int[] findNext(int i) {
        List<LabelNode> targets = targets(insns[i]);
        boolean goesOn = goesOn(insns[i]) && i + 1 < insns.length;
        int[] result = new int[targets.size() + (goesOn ? 1 : 0)];
        for (int k = 0; k < targets.size(); k++) {
            result[k] = number(targets.get(k));
        }
        if (goesOn) {
            result[targets.size()] = i + 1;
        }
        return result;
    }

    /** True if the next instruction can follow. */
    static boolean goesOn(AbstractInsnNode insn) {
        int op = insn.getOpcode();
        return op != Opcodes.GOTO && op != Opcodes.TABLESWITCH && op != Opcodes.LOOKUPSWITCH && op != Opcodes.ATHROW
            && (op < Opcodes.IRETURN || op > Opcodes.RETURN);
    }

    /** The number of an instruction or label. */
    int number(AbstractInsnNode insn) {
        return numbers.get(insn);
    }

    /** Where an instruction can jump to. */
    static List<LabelNode> targets(AbstractInsnNode insn) {
        List<LabelNode> result = new ArrayList<>();
        if (insn instanceof JumpInsnNode) {
            result.add(((JumpInsnNode) insn).label);
        } else if (insn instanceof TableSwitchInsnNode) {
            result.addAll(((TableSwitchInsnNode) insn).labels);
            result.add(((TableSwitchInsnNode) insn).dflt);
        } else if (insn instanceof LookupSwitchInsnNode) {
            result.addAll(((LookupSwitchInsnNode) insn).labels);
            result.add(((LookupSwitchInsnNode) insn).dflt);
        }
        return result;
    }

    private void findHandlers(MethodNode method) {
        List<List<Integer>> all = new ArrayList<>();
        for (int i = 0; i < insns.length; i++) {
            all.add(new ArrayList<>());
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            int handler = number(block.handler);
            for (int i = number(block.start); i < number(block.end); i++) {
                all.get(i).add(handler);
            }
        }
        for (int i = 0; i < insns.length; i++) {
            handlers[i] = all.get(i).stream().mapToInt(handler -> handler).toArray();
        }
    }

    int size() {
        return insns.length;
    }

    AbstractInsnNode at(int i) {
        return insns[i];
    }

    /** The instructions that can follow; of a jump that can also go on, the next one comes last. */
    int[] next(int i) {
        return next[i];
    }

    /** Where exceptions of an instruction can be caught. */
    int[] handlers(int i) {
        return handlers[i];
    }

    /** The first real instruction from here on; the size if there is none. */
    int real(int i) {
        int at = i;
        while (at < insns.length && insns[at].getOpcode() < 0) {
            at++;
        }
        return at;
    }

    /** Visits each real instruction that can follow, this one first. False if it was stopped, or came to the end of the code. */
    boolean walk(int from, IntFunction<Step> visitor) {
        BitSet seen = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>(List.of(real(from)));
        while (!todo.isEmpty()) {
            int i = todo.pop();
            if (i == insns.length) {
                return false;
            }
            if (seen.get(i)) {
                continue;
            }
            seen.set(i);
            Step step = visitor.apply(i);
            if (step == Step.STOP) {
                return false;
            }
            for (int following : step == Step.ON ? next[i] : new int[0]) {
                todo.push(real(following));
            }
        }
        return true;
    }
}
