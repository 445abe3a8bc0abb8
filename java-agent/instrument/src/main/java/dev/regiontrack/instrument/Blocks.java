package dev.regiontrack.instrument;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** What a method's code looks like: where a constructor has called the other one, how many events it can make, where jumps go. */
final class Blocks {
    private Blocks() {
    }

    /**
     * The call of {@code super()} or {@code this()} in a constructor: the first of an initialiser that no {@code new} is for.
     * Null if there is none.
     */
    static AbstractInsnNode superCall(MethodNode method) {
        int made = 0;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() == Opcodes.NEW) {
                made++;
            } else if (insn.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) insn).name.equals("<init>") && made-- == 0) {
                return insn;
            }
        }
        return null;
    }

    /** True if there is code behind the call that runs before it: no range behind it has only an object that is made. */
    static boolean goesBack(AbstractInsnNode superCall) {
        for (AbstractInsnNode insn = superCall; insn != null; insn = insn.getNext()) {
            if (insn instanceof FrameNode && ((FrameNode) insn).local.contains(Opcodes.UNINITIALIZED_THIS)) {
                return true;
            }
        }
        return false;
    }

    /** True if the code after {@code start} (all if null) can make two events: as a block of one it would change nothing. */
    static boolean canMakeTwoEvents(String type, MethodNode method, AbstractInsnNode start, Set<AbstractInsnNode> accesses) {
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            return true;
        }
        int events = 0;
        boolean hasLoop = false;
        Set<LabelNode> passed = new HashSet<>();
        for (AbstractInsnNode insn = start == null ? method.instructions.getFirst() : start.getNext(); insn != null; insn = insn.getNext()) {
            if (insn instanceof LabelNode) {
                passed.add((LabelNode) insn);
            }
            events += isCallOrMonitor(type, insn) ? 2 : accesses.contains(insn) ? 1 : 0;
            hasLoop |= jumpsTo(insn, passed);
        }
        return events >= 2 || hasLoop && events == 1;
    }

    /** The first use of a class runs its initialiser. */
    private static boolean isCallOrMonitor(String type, AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case Opcodes.INVOKEVIRTUAL: case Opcodes.INVOKESTATIC: case Opcodes.INVOKEINTERFACE: case Opcodes.INVOKEDYNAMIC: case Opcodes.INVOKESPECIAL:
            case Opcodes.MONITORENTER: case Opcodes.MONITOREXIT:
                return true;
            case Opcodes.NEW:
                return !((TypeInsnNode) insn).desc.equals(type);
            case Opcodes.GETSTATIC: case Opcodes.PUTSTATIC:
                return !((FieldInsnNode) insn).owner.equals(type);
            default:
                return false;
        }
    }

    private static boolean jumpsTo(AbstractInsnNode insn, Set<LabelNode> labels) {
        if (insn instanceof JumpInsnNode) {
            return labels.contains(((JumpInsnNode) insn).label);
        }
        Set<LabelNode> targets = new HashSet<>();
        switchTargets(insn, targets);
        targets.retainAll(labels);
        return !targets.isEmpty();
    }

    private static void switchTargets(AbstractInsnNode insn, Set<LabelNode> into) {
        if (insn instanceof TableSwitchInsnNode) {
            into.addAll(((TableSwitchInsnNode) insn).labels);
            into.add(((TableSwitchInsnNode) insn).dflt);
        } else if (insn instanceof LookupSwitchInsnNode) {
            into.addAll(((LookupSwitchInsnNode) insn).labels);
            into.add(((LookupSwitchInsnNode) insn).dflt);
        }
    }

    /** Labels that can be reached other than from above. */
    static Set<LabelNode> targets(MethodNode method) {
        Set<LabelNode> result = new HashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof JumpInsnNode) {
                result.add(((JumpInsnNode) insn).label);
            }
            switchTargets(insn, result);
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            result.add(block.handler);
        }
        return result;
    }
}
