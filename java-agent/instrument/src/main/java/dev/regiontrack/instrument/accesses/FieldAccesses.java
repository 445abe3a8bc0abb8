package dev.regiontrack.instrument.accesses;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.flow.Fills;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.frames.Frames;
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
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks of reads and writes of fields.
 *
 * <p>A read's hook comes after the program's load: a check, and, if it fails, a call. If the JVM's messages can mention the value, the value
 * stays on the stack, and the call tells whether it is valid; if not, the load is repeated. Otherwise the call returns the value to use. In a
 * method that would be too large to be compiled, check and call are one call. A write is between a hook that locks the variable and one that
 * unlocks it; so is a read if no frame is known. Hooks whose names end in {@code Own} are for objects that the method has allocated.
 */
public final class FieldAccesses implements Concern {
    private final MethodCode code;
    private final MethodShape shape;
    private final Set<AbstractInsnNode> hooked;
    private final Temporaries temporaries;
    private final Fills fills;
    private boolean isConstructed;

    public FieldAccesses(MethodCode code, MethodShape shape, Set<AbstractInsnNode> hooked, Temporaries temporaries, Fills fills) {
        this.fills = fills;
        this.code = code;
        this.shape = shape;
        this.hooked = hooked;
        this.temporaries = temporaries;
        isConstructed = shape.superCall() == null;
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        switch (hooked.contains(insn) ? insn.getOpcode() : NOP) {
            case GETFIELD: case GETSTATIC: return code.needsFrames();
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
        int site = code.sites.field(code.method, code.line(insn), access, code.watching.field(access), maker);
        switch (insn.getOpcode()) {
            case GETFIELD: read(access, OBJECT, suffix, site, frame); break;
            case GETSTATIC: read(access, "", "Static", site, frame); break;
            case PUTFIELD: write(access, suffix, site); break;
            default:
                code.before(insn, fills.isFill(insn) ? unlessSame(access) : list());         // v [same]
                code.before(insn, code.hook("lockWriteStatic", fills.isFill(insn) ? "(Z" + T + "I)V" : "(" + T + "I)V", site));   // v
                code.after(insn, code.hook("unlock"));
        }
    }

    /** Whether this is a write to an object before its constructor has called super(): no other thread can see the object, and no hook may get it. */
    private boolean isHidden(AbstractInsnNode insn, FrameNode frame) {
        if (insn.getOpcode() != PUTFIELD || !code.isConstructor()) {
            return false;
        }
        // Unknown in an old class file without frames.
        return frame == null ? !isConstructed : frame.stack.get(frame.stack.size() - 2) == Opcodes.UNINITIALIZED_THIS;
    }

    /** Hooks a read; {@code object} is the operand below the value, and {@code suffix} ends the hook's name. */
    private void read(FieldInsnNode insn, String object, String suffix, int site, FrameNode frame) {
        boolean isStatic = object.isEmpty();
        boolean canJump = frame != null || !code.needsFrames();
        VarInsnNode local = isStatic || !canJump || code.isLarge() ? null : local(insn);
        InsnList copied = isStatic || local != null ? list() : list(new InsnNode(DUP));      // [o] [o]
        if (isReturned(insn.desc)) {
            code.after(insn, canJump && !code.isLarge() ? returned(suffix, isStatic, local, insn, site, frame)
                : code.valueHook(insn.desc.charAt(0), "read" + suffix, "(" + object + insn.desc + T + "I)" + insn.desc, site));   // [o] v -> v
            code.before(insn, copied);                                                       // [o] [o]
        } else if (canJump) {
            code.after(insn, local != null ? checked(suffix, local, insn, site, frame) : checked(suffix, object, insn, site, frame));   // [o] v -> v
            code.before(insn, copied);                                                       // [o] [o]
        } else {
            code.before(insn, copied);                                                       // [o] [o]
            code.before(insn, code.hook("lockRead" + suffix, "(" + object + T + "I)V", site));   // [o]
            code.after(insn, code.hook("unlockRead"));                                       // v
        }
    }

    /**
     * Returns the load of the local that gives the operand of a read, perhaps by a copy; or null. The hooks load such an operand again instead of
     * keeping it on the stack: each operand at the maximum depth makes C1's frame of the method larger.
     */
    private static VarInsnNode local(FieldInsnNode read) {
        AbstractInsnNode load = read.getPrevious();
        if (load != null && load.getOpcode() == DUP) {
            load = load.getPrevious();
        }
        return load != null && load.getOpcode() == ALOAD ? (VarInsnNode) load : null;
    }

    private static InsnList again(VarInsnNode load) {
        return list(new VarInsnNode(ALOAD, load.var));
    }

    /** The first check, inline; if it fails, a call that returns the value to use. It is inline, so that each place has its own profile. */
    private InsnList returned(String suffix, boolean isStatic, VarInsnNode local, FieldInsnNode insn, int site, FrameNode frame) {
        LabelNode valid = new LabelNode();
        boolean isKept = !isStatic && local == null;
        boolean isWide = Type.getType(insn.desc).getSize() == 2;
        InsnList list = new InsnList();
        if (isKept) {
            list.add(isWide ? list(new InsnNode(DUP2_X1), new InsnNode(POP2)) : list(new InsnNode(SWAP)));   // v o
            list.add(new InsnNode(DUP));                                                     // v o o
        } else if (!isStatic) {
            list.add(again(local));                                                          // v o
        }
        list.add(code.hook("covers" + suffix, isStatic ? "(" + T + "I)Z" : "(" + OBJECT + T + "I)Z", site));   // v [o] ok
        list.add(new JumpInsnNode(IFNE, valid));                                             // v [o]
        if (local != null) {
            list.add(again(local));                                                          // v o
        }
        String operands = "(" + insn.desc + (isStatic ? "" : OBJECT) + T + "I)";
        list.add(code.valueHook(insn.desc.charAt(0), isStatic ? "slowStatic" : "slow", operands + insn.desc, site));   // v
        if (isKept) {
            list.add(new InsnNode(ACONST_NULL));                                             // v null
        }
        Object type = Frames.type(Type.getType(insn.desc));
        if (!isKept) {
            list.insert(unlessFound(insn, valid));                                           // v
        }
        list.add(code.target(valid, !code.needsFrames() ? null : isKept ? Frames.below(frame, type, 1) : loaded(local, frame, insn)));   // v [o]
        list.add(isKept ? list(new InsnNode(POP)) : apart(insn));                            // v
        return list;
    }

    /**
     * The first check, inline; if it fails, a call that tells whether the value is valid. It is inline, so that each place has its own profile,
     * and before the value's use, because a frequent backward jump keeps a method in the interpreter. If the value is invalid, which is rare, the
     * load is repeated: so the value in use comes from a single instruction, the program's own.
     */
    private InsnList checked(String suffix, String object, FieldInsnNode insn, int site, FrameNode frame) {
        LabelNode reading = new LabelNode();
        LabelNode again = new LabelNode();
        LabelNode valid = new LabelNode();
        boolean isStatic = object.isEmpty();
        code.before(insn, Frames.isAfterFrame(insn) ? list(reading) : code.target(reading, frame));   // [o]
        String value = value(insn);
        InsnList list = isStatic && !code.isLarge() ? unlessFound(insn, valid) : list();     // [o] v
        if (!code.isLarge()) {
            list.add(isStatic ? list() : list(new InsnNode(DUP2), new InsnNode(POP)));       // [o] v [o]
            list.add(code.hook("covers" + suffix, "(" + object + T + "I)Z", site));          // [o] v ok
            list.add(new JumpInsnNode(IFNE, valid));                                         // [o] v
        }
        String name = !code.isLarge() ? isStatic ? "slowStatic" : "slow" : "check" + suffix;
        list.add(new InsnNode(isStatic ? DUP : DUP2));                                       // [o] v [o] v
        list.add(code.valueHook(kind(insn), name, "(" + object + value + T + "I)Z", site));        // [o] v ok
        list.add(new JumpInsnNode(IFEQ, again));                                             // [o] v
        if (!code.isLarge()) {
            list.add(code.target(valid, loaded(null, frame, insn)));                         // [o] v
        }
        list.add(isStatic ? apart(insn) : list(new InsnNode(SWAP), new InsnNode(POP)));      // v
        code.detours.add(code.target(again, loaded(null, frame, insn)));                     // [o] v
        code.detours.add(list(new InsnNode(POP), new JumpInsnNode(GOTO, reading)));          // [o]
        return list;
    }

    /** The same with an operand from a local. The operand's load is repeated with the read, or so is its copy. */
    private InsnList checked(String suffix, VarInsnNode local, FieldInsnNode insn, int site, FrameNode frame) {
        LabelNode reading = new LabelNode();
        LabelNode again = new LabelNode();
        LabelNode valid = new LabelNode();
        AbstractInsnNode operand = insn.getPrevious();
        code.before(operand, Frames.isAfterFrame(operand) ? list(reading) : code.target(reading, frame == null ? null : Frames.less(frame)));   // -
        InsnList list = unlessFound(insn, valid);                                            // v
        list.add(again(local));                                                              // v o
        list.add(code.hook("covers" + suffix, "(" + OBJECT + T + "I)Z", site));              // v ok
        list.add(new JumpInsnNode(IFNE, valid));                                             // v
        list.add(list(new InsnNode(DUP), new VarInsnNode(ALOAD, local.var), new InsnNode(SWAP)));   // v o v
        list.add(code.valueHook(kind(insn), "slow", "(" + OBJECT + value(insn) + T + "I)Z", site));   // v ok
        list.add(new JumpInsnNode(IFEQ, again));                                             // v
        list.add(code.target(valid, loaded(local, frame, insn)));                            // v
        list.add(apart(insn));                                                               // v
        code.detours.add(code.target(again, loaded(local, frame, insn)));                    // v
        code.detours.add(list(new InsnNode(POP), new JumpInsnNode(GOTO, reading)));          // -
        return list;
    }

    /** If the method would fill the field: a value that was found needs no hooks. */
    private InsnList unlessFound(FieldInsnNode read, LabelNode valid) {
        if (!fills.isUse(read)) {
            return list();
        }
        if (read.desc.equals("J")) {
            return list(new InsnNode(DUP2), new InsnNode(LCONST_0), new InsnNode(LCMP), new JumpInsnNode(IFNE, valid));   // v
        }
        return list(new InsnNode(DUP), new JumpInsnNode(isInt(read.desc) ? IFNE : IFNONNULL, valid));   // v
    }

    /** The type of the value in the hooks of a checked read, and the class of those hooks. */
    private static String value(FieldInsnNode insn) {
        return isInt(insn.desc) ? "I" : OBJECT;
    }

    private static char kind(FieldInsnNode insn) {
        return isInt(insn.desc) ? 'I' : 'L';
    }

    /** There must not be two frames at one place: separates the hook's from the program's by an instruction. */
    public static InsnList apart(AbstractInsnNode insn) {
        return Frames.isBeforeFrame(insn) ? list(new InsnNode(NOP)) : list();
    }

    /**
     * Returns the frame after the load, with a copy of the operand below unless a local has it. It is new each time, because a frame belongs to
     * one list.
     */
    private FrameNode loaded(VarInsnNode local, FrameNode frame, FieldInsnNode insn) {
        return !code.needsFrames() ? null : Frames.plus(local == null ? frame : Frames.less(frame), Frames.type(Type.getType(insn.desc)));
    }

    private void write(FieldInsnNode insn, String suffix, int site) {
        if (fills.isFill(insn)) {
            code.before(insn, unlessSame(insn));                                             // o v same
            code.before(insn, list(new VarInsnNode(ALOAD, 0)));                              // o v same o
            code.before(insn, code.hook("lockWrite", "(Z" + OBJECT + T + "I)V", site));      // o v
            code.after(insn, code.hook("unlock"));
            return;
        }
        code.before(insn, under(Type.getType(insn.desc).getSize()));                         // o v o
        code.before(insn, code.hook("lockWrite" + suffix, "(" + OBJECT + T + "I)V", site));           // o v
        code.after(insn, code.hook("unlock"));
    }

    /** Pushes whether the field already has the value that is written. */
    private static InsnList unlessSame(FieldInsnNode write) {
        boolean isStatic = write.getOpcode() == PUTSTATIC;
        boolean isWide = Type.getType(write.desc).getSize() == 2;
        InsnList list = list(new InsnNode(isWide ? DUP2 : DUP));                             // v v
        if (!isStatic) {
            list.add(new VarInsnNode(ALOAD, 0));                                             // v v o
        }
        list.add(new FieldInsnNode(isStatic ? GETSTATIC : GETFIELD, write.owner, write.name, write.desc));   // v v now
        String value = isWide ? "J" : value(write);
        list.add(MethodCode.invoke("isSame", "(" + value + value + ")Z"));                   // v same
        return list;
    }

    /** Copies the reference below a value of the given size: [o v] to [o v o]. */
    public static InsnList under(int size) {
        return size == 1 ? list(new InsnNode(DUP2), new InsnNode(POP))
            : list(new InsnNode(DUP2_X1), new InsnNode(POP2), new InsnNode(DUP_X2));
    }

    /** Whether the JVM's messages never mention values of this type, so that the hook can return another value. */
    private static boolean isReturned(String desc) {
        return desc.equals("J") || desc.equals("F") || desc.equals("D");
    }

    /** Whether a type that is not returned is an integer, also a short one; the others are references. */
    private static boolean isInt(String desc) {
        return desc.charAt(0) != 'L' && desc.charAt(0) != '[';
    }
}
