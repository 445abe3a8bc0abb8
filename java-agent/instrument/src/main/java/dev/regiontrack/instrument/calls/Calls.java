package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.accesses.FieldAccesses;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.Locals;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.runtime.bridge.Session;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Hooks of the calls that have an effect in the table of {@link Models}. */
public final class Calls implements Concern {
    private final MethodCode code;

    public Calls(MethodCode code) {
        this.code = code;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        Models.Effect effect = insn instanceof MethodInsnNode ? Models.of((MethodInsnNode) insn) : null;
        if (effect == Models.Effect.COPY) {
            code.after(insn, list(new InsnNode(DUP), MethodCode.invoke("cloned", "(" + OBJECT + ")V")));   // c
        } else if (effect == Models.Effect.WAIT) {
            waits((MethodInsnNode) insn);
        } else if (effect == Models.Effect.PARK) {
            code.after(insn, code.hook("waited"));
        } else if (effect == Models.Effect.FENCE && Session.takesFences()) {
            code.after(insn, code.hook("fence", "(" + T + "I)V", code.site("fence", insn)));
        }
    }

    /** Stores the nanoseconds, if any, in a local, to copy the lock from below the milliseconds. */
    private void waits(MethodInsnNode insn) {
        boolean hasNanos = insn.desc.equals("(JI)V");
        if (hasNanos) {
            code.before(insn, list(new VarInsnNode(ISTORE, code.local(Locals.Use.VALUE))));  // l ms
        }
        code.before(insn, insn.desc.equals("()V") ? list(new InsnNode(DUP)) : FieldAccesses.under(2));   // l [ms] l
        code.before(insn, code.hook("beforeWait", "(" + OBJECT + T + "I)V", code.sites.waiting(code.method, code.line(insn))));   // l [ms]
        if (hasNanos) {
            code.before(insn, list(new VarInsnNode(ILOAD, code.local(Locals.Use.VALUE))));   // l ms ns
        }
        code.after(insn, code.hook("afterWait"));                                            // -
    }
}
