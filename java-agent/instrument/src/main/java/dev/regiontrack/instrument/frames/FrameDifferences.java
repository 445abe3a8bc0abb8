package dev.regiontrack.instrument.frames;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Reduces the frames of a finished class to what the class file has: differences from the preceding frames (JVM specification, 4.7.4). The writer
 * does this as well, but looks up each type of each frame twice for it.
 */
public final class FrameDifferences {
    /** The most locals by which a frame may differ from the preceding one to be written as a difference. */
    private static final int MOST = 3;

    private FrameDifferences() {
    }

    /** The frames must be complete, each with all of its locals and operands. */
    public static void of(ClassNode type) {
        if ((type.version & 0xffff) < Opcodes.V1_6) {
            return;
        }
        for (MethodNode method : type.methods) {
            List<Object> locals = null;
            for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
                if (insn instanceof FrameNode) {
                    FrameNode frame = (FrameNode) insn;
                    List<Object> before = locals == null ? atEntry(type.name, method) : locals;
                    locals = frame.local;
                    shorten(frame, before);
                }
            }
        }
    }

    private static void shorten(FrameNode frame, List<Object> before) {
        int more = frame.local.size() - before.size();
        int operands = frame.stack.size();
        int same = Math.min(frame.local.size(), before.size());
        boolean isShort = operands == 0 && Math.abs(more) <= MOST || operands == 1 && more == 0;
        if (!isShort || !frame.local.subList(0, same).equals(before.subList(0, same))) {
            frame.type = Opcodes.F_FULL;
        } else if (more < 0) {
            frame.type = Opcodes.F_CHOP;
            frame.local = before.subList(same, before.size());
        } else if (more > 0) {
            frame.type = Opcodes.F_APPEND;
            frame.local = frame.local.subList(same, frame.local.size());
        } else {
            frame.type = operands == 0 ? Opcodes.F_SAME : Opcodes.F_SAME1;
        }
    }

    /** Returns the locals before the first instruction. */
    private static List<Object> atEntry(String type, MethodNode method) {
        List<Object> locals = new ArrayList<>();
        if ((method.access & Opcodes.ACC_STATIC) == 0) {
            locals.add(method.name.equals("<init>") && !type.equals("java/lang/Object") ? Opcodes.UNINITIALIZED_THIS : type);
        }
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            locals.add(Frames.type(argument));
        }
        return locals;
    }
}
