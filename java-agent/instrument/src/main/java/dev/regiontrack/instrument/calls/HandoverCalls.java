package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.selection.Handing;
import dev.regiontrack.instrument.selection.Origin;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Marks the program's place around calls of the JDK that can hand something over to another thread or receive it. The hooks are in the JDK's own
 * classes ({@link Models}), where the place in the program is unknown. If the call throws, the place stays until the next such call: it counts only
 * for what calls of its name can do.
 */
public final class HandoverCalls implements Concern {
    private final MethodCode code;

    public HandoverCalls(MethodCode code) {
        this.code = code;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        int what = insn instanceof MethodInsnNode && !code.isTooLarge() && code.origin == Origin.PROGRAM ? Handing.of((MethodInsnNode) insn) : 0;
        if (what == 0) {
            return;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        int site = code.sites.handover(code.method, code.line(call), call, what, code.origins.fieldOf(call));
        // After the locals for the hooks of a model of the same call.
        int size = 1 + (Type.getArgumentsAndReturnSizes(call.desc) >> 2);
        int before = code.scratch(size + 2) + size;
        InsnList enter = list(code.loadState(), code.sites.push(code.instructions, site), new LdcInsnNode(what));     // t s w
        enter.add(list(MethodCode.invoke("hands", "(" + T + "II)J"), new VarInsnNode(Opcodes.LSTORE, before)));      // -
        code.before(call, enter);
        InsnList leave = list(code.loadState(), new VarInsnNode(Opcodes.LLOAD, before));                             // t l
        leave.add(MethodCode.invoke("handed", "(" + T + "J)V"));                                                    // -
        code.after(call, leave);
    }
}
