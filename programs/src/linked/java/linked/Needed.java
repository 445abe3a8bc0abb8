package linked;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Computes which locals of a method are still read before they are written. */
final class Needed {
    private Needed() {
    }

    /** Returns the locals that are needed before each instruction, by its index. */
    static BitSet[] before(MethodNode method) {
        InsnList code = method.instructions;
        List<List<Integer>> next = next(method);
        List<List<Integer>> handlers = handlers(method);
        BitSet[] needed = new BitSet[code.size()];
        for (int i = 0; i < needed.length; i++) {
            needed[i] = new BitSet();
        }
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (int i = needed.length - 1; i >= 0; i--) {
                BitSet before = new BitSet();
                next.get(i).forEach(to -> before.or(needed[to]));
                step(code.get(i), before);
                // An exception occurs before the instruction has written anything.
                handlers.get(i).forEach(to -> before.or(needed[to]));
                isChanged |= !before.equals(needed[i]);
                needed[i] = before;
            }
        }
        return needed;
    }

    /** Computes what is needed before an instruction from what is needed after it. */
    private static void step(AbstractInsnNode instruction, BitSet needed) {
        if (instruction instanceof IincInsnNode) {
            needed.set(((IincInsnNode) instruction).var);
        } else if (instruction instanceof VarInsnNode) {
            boolean isRead = instruction.getOpcode() < Opcodes.ISTORE || instruction.getOpcode() == Opcodes.RET;
            needed.set(((VarInsnNode) instruction).var, isRead);
        }
    }

    /** Returns the successors of each instruction, except by exceptions. */
    private static List<List<Integer>> next(MethodNode method) {
        InsnList code = method.instructions;
        List<List<Integer>> next = new ArrayList<>();
        for (int i = 0; i < code.size(); i++) {
            List<LabelNode> labels = labels(code.get(i));
            List<Integer> to = new ArrayList<>();
            labels.forEach(label -> to.add(code.indexOf(label)));
            if (i + 1 < code.size() && goesOn(code.get(i))) {
                to.add(i + 1);
            }
            next.add(to);
        }
        return next;
    }

    private static List<LabelNode> labels(AbstractInsnNode instruction) {
        List<LabelNode> labels = new ArrayList<>();
        if (instruction instanceof JumpInsnNode) {
            labels.add(((JumpInsnNode) instruction).label);
        } else if (instruction instanceof TableSwitchInsnNode) {
            labels.addAll(((TableSwitchInsnNode) instruction).labels);
            labels.add(((TableSwitchInsnNode) instruction).dflt);
        } else if (instruction instanceof LookupSwitchInsnNode) {
            labels.addAll(((LookupSwitchInsnNode) instruction).labels);
            labels.add(((LookupSwitchInsnNode) instruction).dflt);
        }
        return labels;
    }

    private static boolean goesOn(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        boolean isReturn = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN || opcode == Opcodes.RET;
        boolean isSwitch = opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH;
        return !isReturn && !isSwitch && opcode != Opcodes.GOTO && opcode != Opcodes.ATHROW;
    }

    /** Returns the handlers around each instruction. */
    private static List<List<Integer>> handlers(MethodNode method) {
        InsnList code = method.instructions;
        List<List<Integer>> handlers = new ArrayList<>();
        for (int i = 0; i < code.size(); i++) {
            handlers.add(new ArrayList<>());
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            for (int i = code.indexOf(block.start); i < code.indexOf(block.end); i++) {
                handlers.get(i).add(code.indexOf(block.handler));
            }
        }
        return handlers;
    }
}
