package dev.regiontrack.instrument;

import static dev.regiontrack.instrument.MethodCode.OBJECT;
import static dev.regiontrack.instrument.MethodCode.T;
import static dev.regiontrack.instrument.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Hooks where an array or object leaves the method that allocated it, or an array is lent to another method. */
final class TemporaryHooks implements Concern {
    private final MethodCode code;
    private final Temporaries temporaries;
    private final boolean hasBegun;

    /** {@code hasBegun} if the method's own hooks show that its thread makes an event. */
    TemporaryHooks(MethodCode code, Temporaries temporaries, boolean hasBegun) {
        this.code = code;
        this.temporaries = temporaries;
        this.hasBegun = hasBegun;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (!hasBegun && temporaries.first().contains(insn)) {
            code.before(insn, code.hook("acts", "(" + T + "I)V", code.site("array-read", insn)));
        }
        for (Temporaries.Operand leaving : temporaries.leaving(insn)) {
            code.before(insn, copy(leaving));                                                // .. a
            if (leaving.maker != null) {
                int site = code.sites.object(code.method, code.line(leaving.place), leaving.maker);
                code.before(insn, code.hook("objectLeaves", "(" + OBJECT + T + "I)V", site));    // ..
            } else if (leaving.parameter < 0) {
                code.before(insn, code.hook("leaves", "(" + OBJECT + T + "I)V", code.site("array-write", leaving.place)));   // ..
            } else {
                int site = code.sites.call(code.method, code.line(leaving.place), (MethodInsnNode) insn, leaving.parameter);
                code.before(insn, code.hook("passes", "(" + OBJECT + T + "I)V", site));      // ..
                code.after(insn, code.hook("returned"));
            }
        }
        if (temporaries.isBorrowing(insn)) {
            code.before(insn, list(code.loadState()));                                       // .. t
            ((MethodInsnNode) insn).desc = Borrowers.desc(((MethodInsnNode) insn).desc);
        }
        Temporaries.Operand lent = temporaries.lent(insn);
        if (lent != null) {
            code.before(insn, copy(lent));                                                   // .. a
            code.before(insn, list(code.loadState(), MethodCode.invoke("lend", "(" + OBJECT + T + ")V")));   // ..
            code.after(insn, code.hook("returned"));
        }
    }

    private static InsnList copy(Temporaries.Operand operand) {
        return operand.isOnTop ? list(new InsnNode(DUP)) : list(new InsnNode(DUP2), new InsnNode(POP));
    }
}
