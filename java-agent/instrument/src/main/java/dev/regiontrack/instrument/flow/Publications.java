package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Step;
import dev.regiontrack.instrument.flow.Jumps.Walk;
import dev.regiontrack.instrument.frames.Frames;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
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
        Walk walk = jumps.walk(at, result.between);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            if (i == start) {
                result.comesBack = true;
                continue;
            }
            int sets = code.compareAndSet(jumps, variables, i);
            if (frames[i] == null || frames[sets] == null) {
                return null;
            }
            if (variables.isCompareAndSet(jumps.at(sets))) {
                result.sets.add(i);
                if (!variable.equals(variables.of(jumps.at(sets), frames[sets]))) {
                    return null;
                }
            } else if (isPrivate(i, start, result)) {
                walk.goOn();
            } else {
                return null;
            }
        }
        return !walk.hasLeft() && !result.sets.isEmpty() ? result : null;
    }

    private boolean isPrivate(int i, int start, Publication in) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        boolean leaves = op == Opcodes.MONITORENTER || op == Opcodes.MONITOREXIT || op == Opcodes.ATHROW || Callees.isReturn(insn) || op == Opcodes.PUTSTATIC;
        if (leaves || jumps.handlers(i).length > 0 && !Purity.isComputation(op)) {
            return false;
        }
        if (op == Opcodes.PUTFIELD) {
            return isMade(below(i, 1), in) || isFilledAgain(i, start, in);
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
     * invisible until it is published, each attempt writes the field before it publishes the object, and none reads what an earlier one has written.
     */
    private boolean isFilledAgain(int i, int start, Publication in) {
        SharedValue object = below(i, 1);
        if (!object.isMade || Long.bitCount(object.made) != 1 || !jumps.walk(start, k -> fills(k, i) ? Step.END : isCompareAndSet(k) || reads(k, i) ? Step.STOP : Step.ON)) {
            return false;
        }
        for (int k = 0; k < jumps.size(); k++) {
            if (frames[k] != null && jumps.at(k).getOpcode() >= 0 && !(keeps(k, object.made, in) && isFilledAfter(k, i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether an instruction writes the same field as the one at {@code write}, of the same object. */
    private boolean fills(int k, int write) {
        return frames[k] != null && jumps.at(k).getOpcode() == Opcodes.PUTFIELD && isOfField(k, write) && below(k, 1).isMade && below(k, 1).made == below(write, 1).made;
    }

    private boolean isOfField(int k, int write) {
        return ((FieldInsnNode) jumps.at(k)).name.equals(((FieldInsnNode) jumps.at(write)).name);
    }

    /** Whether an instruction reads what the one at {@code write} has written. */
    private boolean reads(int k, int write) {
        return frames[k] != null && jumps.at(k).getOpcode() == Opcodes.GETFIELD && isOfField(k, write) && (below(k, 0).made & below(write, 1).made) != 0;
    }

    private boolean isCompareAndSet(int k) {
        return frames[k] != null && variables.isCompareAndSet(jumps.at(k));
    }

    /**
     * Whether, if an instruction is a {@code compareAndSet}, the field of the write at {@code write} is written before it is read or its object is
     * published, when this one has failed; and is not written when it has succeeded and published the object, unless the object is another one.
     */
    private boolean isFilledAfter(int k, int write) {
        if (!isCompareAndSet(k)) {
            return true;
        }
        long made = below(write, 1).made;
        Outcome outcome = Outcome.of(jumps, code, k);
        return jumps.walk(outcome.failed, next -> fills(next, write) || makes(next, made) ? Step.END : publishes(next, made) || reads(next, write) ? Step.STOP : Step.ON)
            && (!publishes(k, made) || jumps.walk(outcome.succeeded, next -> fills(next, write) ? Step.STOP : makes(next, made) ? Step.END : Step.ON));
    }

    private boolean makes(int k, long made) {
        return (values.maker(jumps.at(k)) & made) != 0;
    }

    private boolean publishes(int k, long made) {
        return isCompareAndSet(k) && isArgument(k, made);
    }

    /** Whether an object that these have made is an argument of a call. */
    private boolean isArgument(int call, long made) {
        for (int n = Type.getArgumentTypes(((MethodInsnNode) jumps.at(call)).desc).length; n > 0; n--) {
            if ((below(call, n - 1).made & made) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether an instruction gives the objects that these have made to others only by a {@code compareAndSet}. Their constructors are asked. */
    private boolean keeps(int i, long made, Publication in) {
        AbstractInsnNode insn = jumps.at(i);
        int op = insn.getOpcode();
        if (insn instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) insn;
            int arguments = Type.getArgumentTypes(call.desc).length;
            boolean isReceiver = call.getOpcode() != Opcodes.INVOKESTATIC && (below(i, arguments).made & made) != 0;
            boolean isArgument = isArgument(i, made);
            if (isReceiver && Frames.isConstruction(call) && !isArgument) {
                in.asked.add(call);
                return !code.isInside(call) && !Variables.isPlatform(call.owner);
            }
            // As the first argument, it would be the object whose field is set.
            return !isReceiver && (!isArgument || variables.isCompareAndSet(call) && (below(i, arguments - 1).made & made) == 0);
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
