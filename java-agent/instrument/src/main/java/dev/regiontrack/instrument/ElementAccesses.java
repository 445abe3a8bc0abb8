package dev.regiontrack.instrument;

import static dev.regiontrack.instrument.MethodCode.OBJECT;
import static dev.regiontrack.instrument.MethodCode.T;
import static dev.regiontrack.instrument.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks of reads and writes of array elements: one hook before the access locks the variable, one after it unlocks it.
 * Only a read of a {@code long}, {@code float} or {@code double}, whose value the JVM's messages never mention, has a
 * single hook, which returns the value.
 */
final class ElementAccesses implements Concern {
    private final MethodCode code;
    private final Set<AbstractInsnNode> hooked;

    ElementAccesses(MethodCode code, Set<AbstractInsnNode> hooked) {
        this.code = code;
        this.hooked = hooked;
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        return false;
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
            case AALOAD: case IALOAD: case BALOAD: case CALOAD: case SALOAD: read(insn); break;
            case AASTORE: writeReference(insn); break;
            default: writePrimitive(insn);
        }
    }

    private void readWide(AbstractInsnNode insn, String desc) {
        int site = code.site("array-read", insn);
        code.before(insn, list(new InsnNode(DUP2)));                                         // a i a i
        code.after(insn, code.valueHook(desc.charAt(0), "arrayRead", "(" + OBJECT + "I" + desc + T + "I)" + desc, site));   // a i v -> v
    }

    private void read(AbstractInsnNode insn) {
        int site = code.site("array-read", insn);
        code.before(insn, list(new InsnNode(DUP2)));                                         // a i a i
        code.before(insn, code.hook("lockArrayRead", "(" + OBJECT + "I" + T + "I)V", site)); // a i
        code.after(insn, code.hook("unlockRead"));                                           // v
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
