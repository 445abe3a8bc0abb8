package dev.regiontrack.instrument;

import static dev.regiontrack.instrument.MethodCode.OBJECT;
import static dev.regiontrack.instrument.MethodCode.T;
import static dev.regiontrack.instrument.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

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
            if (leaving.maker != null) {
                code.before(insn, copy(leaving));                                            // .. o
                int site = code.sites.object(code.method, code.line(leaving.place), leaving.maker);
                code.before(insn, code.hook("objectLeaves", "(" + OBJECT + T + "I)V", site));    // ..
            } else if (leaving.parameter < 0) {
                code.before(insn, copy(leaving));                                            // .. a
                code.before(insn, code.hook("leaves", "(" + OBJECT + T + "I)V", code.site("array-write", leaving.place)));   // ..
            } else {
                passes((MethodInsnNode) insn, leaving);                                          // ..
                code.after(insn, code.hook("returned"));
            }
        }
        if (temporaries.isBorrowing(insn)) {
            code.before(insn, list(code.loadState()));                                       // .. t
            MethodInsnNode call = (MethodInsnNode) insn;
            call.desc = Borrowers.desc(call.desc);
            // A copy is private, which old class files do not call in any other way.
            call.setOpcode(call.getOpcode() == INVOKEVIRTUAL ? INVOKESPECIAL : call.getOpcode());
        }
        Temporaries.Operand lent = temporaries.lent(insn);
        if (lent != null) {
            code.before(insn, copy(lent));                                                   // .. a
            code.before(insn, list(code.loadState(), MethodCode.invoke("lend", "(" + OBJECT + T + ")V")));   // ..
            code.after(insn, code.hook("returned"));
        }
    }

    /** The array is lent or leaves, as the called method is known to do with it when the program runs. */
    private void passes(MethodInsnNode call, Temporaries.Operand passed) {
        int site = code.sites.call(code.method, code.line(passed.place), call, passed.parameter);
        if (call.getOpcode() == INVOKESTATIC) {
            code.before(call, copy(passed));                                                 // .. a
            code.before(call, code.hook("passes", "(" + OBJECT + T + "I)V", site));          // ..
            return;
        }
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = (Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1;
        int local = code.scratch(size) + size;
        int array = 0;
        for (int i = types.length - 1; i >= 0; i--) {
            local -= types[i].getSize();
            array = i == passed.parameter ? local : array;
            code.before(call, list(new VarInsnNode(types[i].getOpcode(ISTORE), local)));     // r
        }
        code.before(call, list(new InsnNode(DUP), new VarInsnNode(ALOAD, array)));           // r r a
        code.before(call, code.hook("passes", "(" + OBJECT + OBJECT + T + "I)V", site));     // r
        for (Type type : types) {
            code.before(call, list(new VarInsnNode(type.getOpcode(ILOAD), local)));          // r ..
            local += type.getSize();
        }
    }

    private static InsnList copy(Temporaries.Operand operand) {
        return operand.isOnTop ? list(new InsnNode(DUP)) : list(new InsnNode(DUP2), new InsnNode(POP));
    }
}
