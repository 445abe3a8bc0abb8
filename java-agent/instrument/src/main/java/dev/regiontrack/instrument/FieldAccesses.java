package dev.regiontrack.instrument;

import static dev.regiontrack.instrument.MethodCode.OBJECT;
import static dev.regiontrack.instrument.MethodCode.T;
import static dev.regiontrack.instrument.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;

/**
 * Hooks of reads and writes of fields.
 *
 * <p>A read's hook comes after the program's load. If the JVM's messages can mention the value, it stays on the stack and the hook tells
 * whether it is valid; if not, the load is repeated. Otherwise the hook returns the value to use. A write is between a
 * hook that locks the variable and one that unlocks it; so is a read if no frame is known. Hooks whose names end in {@code Own} are for
 * objects that the method has allocated.
 */
final class FieldAccesses implements Concern {
    private final MethodCode code;
    private final MethodShape shape;
    private final Set<AbstractInsnNode> hooked;
    private final Temporaries temporaries;
    private boolean isConstructed;

    FieldAccesses(MethodCode code, MethodShape shape, Set<AbstractInsnNode> hooked, Temporaries temporaries) {
        this.code = code;
        this.shape = shape;
        this.hooked = hooked;
        this.temporaries = temporaries;
        isConstructed = shape.superCall() == null;
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        switch (hooked.contains(insn) ? insn.getOpcode() : NOP) {
            case GETFIELD: case GETSTATIC: return code.isSince(V1_7) && !isReturned(((FieldInsnNode) insn).desc);
            case PUTFIELD: return code.isConstructor();
            default: return false;
        }
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        isConstructed |= insn == shape.superCall();
        if (!(insn instanceof FieldInsnNode) || !hooked.contains(insn) || isHidden(insn, frame)) {
            return;
        }
        FieldInsnNode access = (FieldInsnNode) insn;
        Temporaries.Maker maker = temporaries.maker(insn);
        String suffix = maker == null ? "" : "Own";
        int site = code.sites.field(code.method, code.line(insn), access, maker);
        switch (insn.getOpcode()) {
            case GETFIELD: read(access, OBJECT, suffix, site, frame); break;
            case GETSTATIC: read(access, "", "Static", site, frame); break;
            case PUTFIELD: write(access, suffix, site); break;
            default:
                code.before(insn, code.hook("lockWriteStatic", "(" + T + "I)V", site));
                code.after(insn, code.hook("unlock"));
        }
    }

    /** A write to an object before its constructor has called super(): no other thread can see the object, and no hook may get it. */
    private boolean isHidden(AbstractInsnNode insn, FrameNode frame) {
        if (insn.getOpcode() != PUTFIELD || !code.isConstructor()) {
            return false;
        }
        // Unknown in an old class file without frames.
        return frame == null ? !isConstructed : frame.stack.get(frame.stack.size() - 2) == Opcodes.UNINITIALIZED_THIS;
    }

    /** A read; {@code object} is the operand below the value, and {@code suffix} ends the hook's name. */
    private void read(FieldInsnNode insn, String object, String suffix, int site, FrameNode frame) {
        InsnList copied = object.isEmpty() ? list() : list(new InsnNode(DUP));               // [o] [o]
        if (isReturned(insn.desc)) {
            code.before(insn, copied);                                                       // [o] [o]
            code.after(insn, code.valueHook(insn.desc.charAt(0), "read" + suffix, "(" + object + insn.desc + T + "I)" + insn.desc, site));   // [o] v -> v
        } else if (frame != null) {
            code.after(insn, checked("check" + suffix, object, insn, site, frame));          // [o] v -> v
            code.before(insn, copied);                                                       // [o] [o]
        } else {
            code.before(insn, copied);                                                       // [o] [o]
            code.before(insn, code.hook("lockRead" + suffix, "(" + object + T + "I)V", site));   // [o]
            code.after(insn, code.hook("unlockRead"));                                       // v
        }
    }

    /**
     * Calls a check and jumps back if it fails, through a detour at the end of the method that only drops the value. So
     * the value in use comes from a single instruction, the program's own.
     */
    private InsnList checked(String name, String object, FieldInsnNode insn, int site, FrameNode frame) {
        LabelNode reading = new LabelNode();
        LabelNode detour = new LabelNode();
        boolean hasFrame = Frames.isAfterFrame(insn);
        code.before(insn, list(reading));                                                    // [o]
        if (!hasFrame) {
            code.before(insn, list(frame));
        }
        boolean isInt = isInt(insn.desc);
        Object value = isInt ? Opcodes.INTEGER : Type.getType(insn.desc).getInternalName();
        InsnList list = list(new InsnNode(object.isEmpty() ? DUP : DUP2));                   // [o] v [o] v
        list.add(code.valueHook(isInt ? 'I' : 'L', name, "(" + object + (isInt ? "I" : OBJECT) + T + "I)Z", site));   // [o] v ok
        list.add(new JumpInsnNode(IFEQ, detour));                                            // [o] v
        if (!object.isEmpty()) {
            list.add(list(new InsnNode(SWAP), new InsnNode(POP)));                           // v
        }
        code.detours.add(list(detour, Frames.plus(frame, value)));                           // [o] v
        code.detours.add(list(new InsnNode(POP), new JumpInsnNode(GOTO, reading)));          // [o]
        return list;
    }

    private void write(FieldInsnNode insn, String suffix, int site) {
        code.before(insn, under(Type.getType(insn.desc).getSize()));                         // o v o
        code.before(insn, code.hook("lockWrite" + suffix, "(" + OBJECT + T + "I)V", site));           // o v
        code.after(insn, code.hook("unlock"));
    }

    /** Copies the reference below a value of the given size: [o v] to [o v o]. */
    static InsnList under(int size) {
        return size == 1 ? list(new InsnNode(DUP2), new InsnNode(POP))
            : list(new InsnNode(DUP2_X1), new InsnNode(POP2), new InsnNode(DUP_X2));
    }

    /** True for types whose values the JVM's messages never mention: the hook can return another value. */
    private static boolean isReturned(String desc) {
        return desc.equals("J") || desc.equals("F") || desc.equals("D");
    }

    /** True for integers, also short ones, among the types that are not returned; the others are references. */
    private static boolean isInt(String desc) {
        return desc.charAt(0) != 'L' && desc.charAt(0) != '[';
    }
}
