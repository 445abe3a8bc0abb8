package dev.regiontrack.instrument.flow;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Properties of a method's code in the class file: where a constructor has called another one, how many events it can
 * make, where jumps go.
 */
public final class MethodShape {
    private final String type;
    private final MethodNode method;
    private final AbstractInsnNode superCall;
    private final Set<LabelNode> targets = new HashSet<>();

    public MethodShape(String type, MethodNode method) {
        this.type = type;
        this.method = method;
        superCall = method.name.equals("<init>") ? superCall(method) : null;
        findTargets();
    }

    /**
     * Returns the call of {@code super()} or {@code this()} in a constructor; null in another method, or if there is
     * none.
     */
    public AbstractInsnNode superCall() {
        return superCall;
    }

    /** Returns the first constructor call that belongs to no {@code new}. */
    private static AbstractInsnNode superCall(MethodNode method) {
        int made = 0;
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() == Opcodes.NEW) {
                made++;
            } else if (insn.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) insn).name.equals("<init>") && made-- == 0) {
                return insn;
            }
        }
        return null;
    }

    /** False for a constructor whose code after the call of another constructor cannot be separated from the code before it. */
    public boolean canBeBlock() {
        if (!method.name.equals("<init>")) {
            return true;
        }
        for (AbstractInsnNode insn = superCall; insn != null; insn = insn.getNext()) {
            if (insn instanceof FrameNode && ((FrameNode) insn).local.contains(Opcodes.UNINITIALIZED_THIS)) {
                return false;
            }
        }
        return superCall != null;
    }

    /** Whether the code (of a constructor: after its call of another one) can make two events. A block of one event has no effect. */
    public boolean canMakeTwoEvents(Set<AbstractInsnNode> accesses, Silence silence) {
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
            return true;
        }
        int events = 0;
        boolean hasLoop = false;
        AbstractInsnNode first = superCall == null ? method.instructions.getFirst() : superCall.getNext();
        for (AbstractInsnNode insn = first; insn != null && events < 2; insn = insn.getNext()) {
            events += Coverage.isProbes(insn) || silence.isSilent(insn) ? 0 : isCallOrMonitor(insn, type) ? 2 : accesses.contains(insn) ? 1 : 0;
            // No jump leads from behind the call of another constructor to before it.
            hasLoop |= Jumps.leadsBack(insn, method);
        }
        return events >= 2 || hasLoop && events == 1;
    }

    /** Whether its only events can be accesses, entry and exit. */
    public boolean hasOnlyAccesses() {
        boolean hasOthers = (method.access & Opcodes.ACC_SYNCHRONIZED) != 0 || method.name.equals("<init>");
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            hasOthers |= isCallOrMonitor(insn, type);
        }
        return !hasOthers;
    }

    /** Whether an instruction of the class {@code type} can run other code or concerns a monitor. The first use of a class runs its initialiser. */
    static boolean isCallOrMonitor(AbstractInsnNode insn, String type) {
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

    /** Whether the label can be reached other than from above. */
    public boolean isTarget(LabelNode label) {
        return targets.contains(label);
    }

    private void findTargets() {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (Jumps.canJump(insn)) {
                targets.addAll(Jumps.targets(insn));
            }
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            targets.add(block.handler);
        }
    }
}
