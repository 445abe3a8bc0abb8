package dev.regiontrack.instrument.accesses;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.Locals;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.frames.Frames;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks of reads and writes of array elements. A read is checked like that of a field; a {@code long}, {@code float} or {@code double}, whose value
 * the JVM's messages never mention, by a single hook, which returns the value. Around a write, one hook locks the variable and one unlocks it.
 */
public final class ElementAccesses implements Concern {
    private final MethodCode code;
    private final Set<AbstractInsnNode> hooked;

    public ElementAccesses(MethodCode code, Set<AbstractInsnNode> hooked) {
        this.code = code;
        this.hooked = hooked;
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        return code.needsFrames() && hooked.contains(insn) && isChecked(insn);
    }

    /** Whether the read's value can be mentioned in the JVM's messages. */
    private static boolean isChecked(AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case AALOAD: case IALOAD: case BALOAD: case CALOAD: case SALOAD: return true;
            default: return false;
        }
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (insn instanceof FieldInsnNode || !hooked.contains(insn)) {
            return;
        }
        switch (insn.getOpcode()) {
            case LALOAD: readWide(insn, "J"); break;
            case FALOAD: readWide(insn, "F"); break;
            case DALOAD: readWide(insn, "D"); break;
            case AALOAD: case IALOAD: case BALOAD: case CALOAD: case SALOAD: read(insn, frame); break;
            case AASTORE: writeReference(insn); break;
            default: writePrimitive(insn);
        }
    }

    private void readWide(AbstractInsnNode insn, String desc) {
        int site = code.site("array-read", insn);
        code.before(insn, list(new InsnNode(DUP2)));                                         // a i a i
        code.after(insn, code.valueHook(desc.charAt(0), "arrayRead", "(" + OBJECT + "I" + desc + T + "I)" + desc, site));   // a i v -> v
    }

    private void read(AbstractInsnNode insn, FrameNode frame) {
        int site = code.site("array-read", insn);
        if (code.isLarge() || frame == null && code.needsFrames()) {
            code.before(insn, list(new InsnNode(DUP2)));                                     // a i a i
            code.before(insn, code.hook("lockArrayRead", "(" + OBJECT + "I" + T + "I)V", site));   // a i
            code.after(insn, code.hook("unlockRead"));                                       // v
        } else {
            checked(insn, site, frame);
        }
    }

    /** As for a field ({@link FieldAccesses}), but there are two operands, so the value is moved below them. */
    private void checked(AbstractInsnNode insn, int site, FrameNode frame) {
        LabelNode reading = new LabelNode();
        LabelNode again = new LabelNode();
        LabelNode valid = new LabelNode();
        boolean isInt = insn.getOpcode() != AALOAD;
        code.before(insn, Frames.isAfterFrame(insn) ? list(reading) : code.target(reading, frame));   // a i
        Object type = frame == null ? null : isInt ? Opcodes.INTEGER : Frames.element(frame.stack.get(frame.stack.size() - 2));
        InsnList list = list(new InsnNode(DUP_X2), new InsnNode(POP), new InsnNode(DUP2));   // v a i a i
        list.add(code.hook("coversElement", "(" + OBJECT + "I" + T + "I)Z", site));          // v a i ok
        list.add(new JumpInsnNode(IFNE, valid));                                             // v a i
        int value = code.local(Locals.Use.VALUE);
        // The value in use stays on the stack; the hook gets a copy.
        list.add(list(new InsnNode(DUP2_X1), new InsnNode(POP2)));                           // a i v
        list.add(list(new InsnNode(DUP), new VarInsnNode(isInt ? ISTORE : ASTORE, value)));  // a i v
        list.add(list(new InsnNode(DUP_X2), new InsnNode(POP), new InsnNode(DUP2)));         // v a i a i
        list.add(new VarInsnNode(isInt ? ILOAD : ALOAD, value));                             // v a i a i v
        if (!isInt) {
            // The local must not keep the value from being collected.
            list.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, value)));       // v a i a i v
        }
        list.add(code.valueHook(isInt ? 'I' : 'L', "slowElement", "(" + OBJECT + "I" + (isInt ? "I" : OBJECT) + T + "I)Z", site));   // v a i ok
        list.add(new JumpInsnNode(IFEQ, again));                                             // v a i
        list.add(code.target(valid, frame == null ? null : Frames.below(frame, type, 2)));   // v a i
        list.add(new InsnNode(POP2));                                                        // v
        code.before(insn, list(new InsnNode(DUP2)));                                         // a i a i
        code.after(insn, list);
        code.detours.add(code.target(again, frame == null ? null : Frames.below(frame, type, 2)));   // v a i
        code.detours.add(list(new InsnNode(DUP2_X1), new InsnNode(POP2), new InsnNode(POP)));   // a i
        code.detours.add(new JumpInsnNode(GOTO, reading));                                   // a i
    }

    private void writeReference(AbstractInsnNode insn) {
        int value = code.local(Locals.Use.VALUE);
        int site = code.site("array-write", insn);
        code.before(insn, list(new VarInsnNode(ASTORE, value), new InsnNode(DUP2)));         // a i a i
        code.before(insn, list(new VarInsnNode(ALOAD, value)));                              // a i a i v
        code.before(insn, code.hook("lockArrayWrite", "(" + OBJECT + "I" + OBJECT + T + "I)V", site));   // a i
        // The local must not keep the value from being collected.
        code.before(insn, list(new VarInsnNode(ALOAD, value), new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, value)));   // a i v
        code.after(insn, code.hook("unlock"));
    }

    private void writePrimitive(AbstractInsnNode insn) {
        boolean isWide = insn.getOpcode() == LASTORE || insn.getOpcode() == DASTORE;
        int site = code.site("array-write", insn);
        code.before(insn, isWide ? list(new InsnNode(DUP2_X2), new InsnNode(POP2), new InsnNode(DUP2_X2))   // a i v a i
            : list(new InsnNode(DUP_X2), new InsnNode(POP), new InsnNode(DUP2_X1)));
        code.before(insn, code.hook("lockArrayWrite", "(" + OBJECT + "I" + T + "I)V", site));   // a i v
        code.after(insn, code.hook("unlock"));
    }
}
