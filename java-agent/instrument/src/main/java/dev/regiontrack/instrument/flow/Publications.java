package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import dev.regiontrack.instrument.frames.Frames;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds what a method does between a read and a {@code compareAndSet} of the same variable, if all of that is private:
 * {@code old = state.get(); next = new State(old.n + 1)}, or a copy of a collection or array that is changed. If the {@code compareAndSet} fails, no
 * one has seen any of it. All paths except exceptions must lead to it, or back to the read.
 */
final class Publications {
    private final Expanded code;
    private final Jumps jumps;
    private final Variables variables;
    private final SharedValues values;
    private final Frame<SharedValue>[] frames;

    Publications(Expanded code, Jumps jumps, Variables variables, SharedValues values, Frame<SharedValue>[] frames) {
        this.code = code;
        this.jumps = jumps;
        this.variables = variables;
        this.values = values;
        this.frames = frames;
    }

    /**
     * Returns the publication that begins at this instruction and publishes in this variable, for an attempt that starts at {@code start}; null if
     * there is none.
     */
    Publication find(int at, int start, String variable) {
        if (frames[at] == null) {
            return null;
        }
        Publication result = new Publication();
        boolean isComplete = jumps.walk(at, result.between, i -> {
            if (i == start) {
                result.comesBack = true;
                return Step.END;
            }
            int sets = code.compareAndSet(jumps, variables, i);
            if (frames[i] == null || frames[sets] == null) {
                return Step.STOP;
            }
            if (variables.isCompareAndSet(jumps.at(sets))) {
                result.sets.add(i);
                return variable.equals(variables.of(jumps.at(sets), frames[sets])) ? Step.END : Step.STOP;
            }
            return isPrivate(i, at, result) ? Step.ON : Step.STOP;
        });
        return isComplete && !result.sets.isEmpty() ? result : null;
    }

    private boolean isPrivate(int i, int at, Publication in) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        boolean leaves = op == Opcodes.MONITORENTER || op == Opcodes.MONITOREXIT || op == Opcodes.ATHROW || Callees.isReturn(insn) || op == Opcodes.PUTSTATIC;
        if (leaves || jumps.handlers(i).length > 0 && !Purity.isComputation(op)) {
            return false;
        }
        if (op == Opcodes.PUTFIELD) {
            return isMade(below(i, 1), in) || isFilledAgain(i, at, in);
        }
        if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            return isMade(below(i, 2), in);
        }
        if (insn instanceof InvokeDynamicInsnNode) {
            return Harmless.isLink((InvokeDynamicInsnNode) insn);
        }
        if (insn instanceof MethodInsnNode) {
            return isPrivate(i, (MethodInsnNode) insn, in);
        }
        return true;
    }

    private boolean isPrivate(int i, MethodInsnNode call, Publication in) {
        boolean isFixed = call.getOpcode() == Opcodes.INVOKESTATIC || Frames.isConstruction(call);
        boolean isKnown = Purity.isFree(call) || variables.isRead(call) || Harmless.isKnown(call);
        if (isKnown || !isFixed && isMade(below(i, Type.getArgumentTypes(call.desc).length), in) && Harmless.changesOnlyReceiver(call)) {
            return true;
        }
        // If the receiver selects the method, the question is whether its class can be extended.
        if ((isFixed || call.getOpcode() == Opcodes.INVOKEVIRTUAL) && !Variables.isPlatform(call.owner) && !code.isInside(call)) {
            in.asked.add(call);
            return true;
        }
        return false;
    }

    /**
     * Whether this is a write of a field of an object that was made before, like {@code node.next = old} in a push onto a linked stack: the object is
     * invisible until it is published, and each attempt writes the field anew.
     */
    private boolean isFilledAgain(int i, int at, Publication in) {
        long made = below(i, 1).made;
        boolean isInEach = below(i, 1).isMade && jumps.walk(at, k -> k == i ? Step.END : frames[k] == null || variables.isCompareAndSet(jumps.at(code.compareAndSet(jumps, variables, k))) ? Step.STOP : Step.ON);
        if (!isInEach) {
            return false;
        }
        for (int k = 0; k < jumps.size(); k++) {
            if (frames[k] != null && jumps.at(k).getOpcode() >= 0 && !keeps(k, made, in)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an instruction gives the objects that these have made to others only by a {@code compareAndSet}. Their constructors are asked. */
    private boolean keeps(int i, long made, Publication in) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (insn instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) insn;
            int arguments = Type.getArgumentTypes(call.desc).length;
            boolean isReceiver = call.getOpcode() != Opcodes.INVOKESTATIC && (below(i, arguments).made & made) != 0;
            boolean isArgument = false;
            for (int k = 0; k < arguments; k++) {
                isArgument |= (below(i, k).made & made) != 0;
            }
            if (isReceiver && Frames.isConstruction(call) && !isArgument) {
                in.asked.add(call);
                return !code.isInside(call) && !Variables.isPlatform(call.owner);
            }
            return !isReceiver && (!isArgument || variables.isCompareAndSet(call));
        }
        boolean isStored = op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC || op == Opcodes.AASTORE || op == Opcodes.ARETURN || op == Opcodes.ATHROW || op == Opcodes.MONITORENTER;
        if (insn instanceof InvokeDynamicInsnNode) {
            return false;
        }
        return !isStored || (below(i, 0).made & made) == 0;
    }

    private SharedValue below(int i, int n) {
        return frames[i].getStack(frames[i].getStackSize() - 1 - n);
    }

    /**
     * Whether an object was made since the read, as far as the code was followed. It can be from an earlier round only if it can also be from before
     * the loop.
     */
    private boolean isMade(SharedValue value, Publication in) {
        if (!value.isMade) {
            return false;
        }
        for (int i = 0; i < jumps.size(); i++) {
            if ((values.maker(jumps.at(i)) & value.made) != 0 && !in.between.get(i)) {
                return false;
            }
        }
        return true;
    }
}
