package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.flow.Questions;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Hooks of a method that can be asked, which end the question where it would have an effect ({@link Questions}). They come before all others of the same
 * instruction, except those of rounds, which such a method does not have.
 */
public final class QuestionHooks implements Concern {
    private final MethodCode code;
    private final Questions questions;

    /** Makes the hooks of one method of the class to which the questions belong. */
    public QuestionHooks(MethodCode code, Questions questions) {
        this.code = code;
        this.questions = questions;
    }

    @Override
    public boolean concernsOthers() {
        return questions.haveEnds();
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (questions.isEnd(insn)) {
            // A label right before a new names its object in frames.
            AbstractInsnNode at = insn.getOpcode() == NEW ? insn.getPrevious() : insn;
            code.before(at, list(code.loadState(), hook("ends", "(" + RuntimeNames.STATE_TYPE + ")V")));
        } else if (questions.isField(insn)) {
            AbstractInsnNode site = code.sites.push(code.instructions, code.sites.needing(((FieldInsnNode) insn).owner));
            code.before(insn, list(code.loadState(), site, hook("needs", "(" + RuntimeNames.STATE_TYPE + "I)V")));
        } else if (questions.isCall(insn)) {
            call((MethodInsnNode) insn);
        }
    }

    private void call(MethodInsnNode call) {
        boolean isStatic = call.getOpcode() == INVOKESTATIC;
        InsnList before = isStatic ? new InsnList() : copyReceiver(Questions.words(call));                 // .. r
        before.add(list(code.loadState(), code.sites.push(code.instructions, code.sites.asking(call))));
        before.add(hook("goesOn", (isStatic ? "(" : "(" + OBJECT) + RuntimeNames.STATE_TYPE + "I)V"));      // ..
        code.before(call, before);
    }

    /** Copies what is below {@code below} words to the top of the stack. */
    private static InsnList copyReceiver(int below) {
        switch (below) {
            case 0: return list(new InsnNode(DUP));                                                       // r r
            case 1: return list(new InsnNode(DUP2), new InsnNode(POP));                                   // r a r
            default: return list(new InsnNode(DUP2_X1), new InsnNode(POP2), new InsnNode(DUP_X2));        // r a b r
        }
    }

    private static AbstractInsnNode hook(String name, String desc) {
        return new MethodInsnNode(INVOKESTATIC, RuntimeNames.ASKING, name, desc, false);
    }
}
