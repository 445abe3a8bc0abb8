package dev.regiontrack.instrument.frames;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AnalyzerAdapter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * The types of locals and operands before some instructions, as the verifier sees them: simulated from the frames of
 * the class file, so that no other class is needed.
 */
public final class Frames {
    private final Map<AbstractInsnNode, FrameNode> frames = new HashMap<>();

    /** Simulates the method; keeps the frames before the given instructions. Unreachable code has none. */
    public Frames(String type, MethodNode method, Set<AbstractInsnNode> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        Simulation types = new Simulation(type, method);
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (wanted.contains(insn) && types.stack != null) {
                frames.put(insn, new FrameNode(Opcodes.F_NEW, 0, null, 0, null));
                frames.get(insn).local = types.listed(types.locals);
                frames.get(insn).stack = types.listed(types.stack);
            }
            insn.accept(types);
        }
    }

    /** Returns the frame before an instruction; null if it is unreachable. */
    public FrameNode before(AbstractInsnNode insn) {
        return frames.get(insn);
    }

    /** Copies a frame, because a frame belongs to one list. */
    public static FrameNode copy(FrameNode frame) {
        FrameNode copy = empty(frame);
        copy.stack.addAll(frame.stack);
        return copy;
    }

    /** Copies a frame with one more operand. */
    public static FrameNode plus(FrameNode frame, Object operand) {
        FrameNode copy = copy(frame);
        copy.stack.add(operand);
        return copy;
    }

    /** Copies a frame without the last operand. */
    public static FrameNode less(FrameNode frame) {
        FrameNode copy = copy(frame);
        copy.stack.remove(copy.stack.size() - 1);
        return copy;
    }

    /** Copies a frame with one more operand, below the last {@code n}. */
    public static FrameNode below(FrameNode frame, Object operand, int n) {
        FrameNode copy = plus(frame, operand);
        Collections.rotate(copy.stack.subList(copy.stack.size() - n - 1, copy.stack.size()), 1);
        return copy;
    }

    /** Whether frames show where the jumps of a method lead: if it has frames, or no jumps. */
    public static boolean showJumps(MethodNode method) {
        boolean hasJumps = !method.tryCatchBlocks.isEmpty();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn instanceof FrameNode) {
                return true;
            }
            hasJumps |= insn instanceof JumpInsnNode || insn instanceof TableSwitchInsnNode || insn instanceof LookupSwitchInsnNode;
        }
        return !hasJumps;
    }

    /**
     * Whether the verifier knows the first local before an instruction, in a method that never sets it: a frame of the class file can drop a local
     * that is no longer needed.
     */
    public static boolean knowFirst(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before != null && !(before instanceof FrameNode)) {
            before = before.getPrevious();
        }
        List<Object> locals = before == null ? null : ((FrameNode) before).local;
        return locals == null || !locals.isEmpty() && locals.get(0) != Opcodes.TOP;
    }

    /** Whether this is a call of a constructor. */
    public static boolean isConstruction(AbstractInsnNode insn) {
        return insn.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) insn).name.equals("<init>");
    }

    /** Returns the frame after a call, from the one before it; for a constructor, if {@link #isTwice}. */
    public static FrameNode after(FrameNode frame, MethodInsnNode call) {
        FrameNode copy = copy(frame);
        int operands = Type.getArgumentTypes(call.desc).length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
        copy.stack.subList(copy.stack.size() - operands, copy.stack.size()).clear();
        if (isConstruction(call)) {
            copy.stack.set(copy.stack.size() - 1, call.owner);
            return copy;
        }
        Type result = Type.getReturnType(call.desc);
        if (result.getSort() != Type.VOID) {
            copy.stack.add(type(result));
        }
        return copy;
    }

    /**
     * Whether a constructor is called with an object from {@code new} of which there is exactly one other copy, below it: nothing would
     * be left of a replaced object.
     */
    public static boolean isTwice(FrameNode frame, MethodInsnNode call) {
        int at = frame.stack.size() - Type.getArgumentTypes(call.desc).length - 1;
        Object made = frame.stack.get(at);
        boolean isMade = made instanceof LabelNode && at > 0 && frame.stack.get(at - 1) == made;
        return isMade && Collections.frequency(frame.stack, made) == 2 && !frame.local.contains(made);
    }

    /** Returns the verifier's type of a value. */
    public static Object type(Type type) {
        switch (type.getSort()) {
            case Type.LONG: return Opcodes.LONG;
            case Type.FLOAT: return Opcodes.FLOAT;
            case Type.DOUBLE: return Opcodes.DOUBLE;
            case Type.OBJECT: case Type.ARRAY: return type.getInternalName();
            default: return Opcodes.INTEGER;
        }
    }

    /** Returns the type of an array's elements. */
    public static Object element(Object array) {
        if (!(array instanceof String)) {
            return array;
        }
        String desc = ((String) array).substring(1);
        return desc.startsWith("[") ? desc : desc.substring(1, desc.length() - 1);
    }

    /** Copies a frame without operands. */
    public static FrameNode empty(FrameNode frame) {
        FrameNode copy = new FrameNode(Opcodes.F_NEW, 0, null, 0, null);
        copy.local = new ArrayList<>(frame.local);
        copy.stack = new ArrayList<>();
        return copy;
    }

    /** Copies a frame with only this operand. */
    public static FrameNode alone(FrameNode frame, Object operand) {
        return plus(empty(frame), operand);
    }

    /** Whether the class file already has a frame right before the instruction; a second one would be an error. */
    public static boolean isAfterFrame(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before instanceof LabelNode || before instanceof LineNumberNode) {
            before = before.getPrevious();
        }
        return before instanceof FrameNode;
    }

    /** The same for the place after an instruction. */
    public static boolean isBeforeFrame(AbstractInsnNode insn) {
        AbstractInsnNode next = insn.getNext();
        while (next instanceof LabelNode || next instanceof LineNumberNode) {
            next = next.getNext();
        }
        return next instanceof FrameNode;
    }

    /** Names an uninitialised object by the last label before its {@code new}, which {@link NewLabels} has put there. */
    private static final class Simulation extends AnalyzerAdapter {
        private final Map<Label, LabelNode> labels = new HashMap<>();
        private Label last;

        Simulation(String owner, MethodNode method) {
            super(Opcodes.ASM9, owner, method.access, method.name, method.desc, null);
            for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
                if (insn instanceof LabelNode) {
                    labels.put(((LabelNode) insn).getLabel(), (LabelNode) insn);
                } else if (insn.getOpcode() == Opcodes.NEW) {
                    // A frame can come before the {@code new} that it names: the object was allocated in an earlier
                    // round of a loop.
                    uninitializedTypes.put(((LabelNode) insn.getPrevious()).getLabel(), ((TypeInsnNode) insn).desc);
                }
            }
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            last = label;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            boolean isNew = opcode == Opcodes.NEW && locals != null;
            if (isNew) {
                // The object of an earlier round would have the same name, so the verifier discards it.
                Collections.replaceAll(locals, last, Opcodes.TOP);
            }
            super.visitTypeInsn(opcode, type);
            if (isNew) {
                stack.set(stack.size() - 1, last);
            }
        }

        /** Returns types for a frame: the simulation has two entries for a long or double, a frame one. */
        List<Object> listed(List<Object> types) {
            List<Object> result = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                Object type = types.get(i);
                result.add(type instanceof Label ? labels.get(type) : type);
                if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
                    i++;
                }
            }
            return result;
        }
    }
}
