package dev.regiontrack.instrument.code;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.steering.Priorities;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Where threads have priorities, a call before each instruction that has a hook, outside of all its hooks. Otherwise, and in the platform's classes and in class
 * initialisers, for whose end others may wait, no code.
 */
public final class Steps {
    private final MethodCode code;
    private final boolean isOn;
    /** The call before the current instruction, and how long the code was with it. */
    private AbstractInsnNode call;
    private int size;

    public Steps(MethodCode code) {
        this.code = code;
        isOn = Priorities.isOn() && code.origin == Origin.PROGRAM && !code.isInitializer();
    }

    /** The instruction gets its hooks now. The call is there before them: where a hook jumps to before the instruction, a frame can be needed that is not if a jump leads there. */
    public void begin(AbstractInsnNode insn) {
        // A new object has its label right before it.
        if (isOn && insn.getOpcode() >= 0 && insn.getOpcode() != NEW) {
            call = MethodCode.call(RuntimeNames.PRIORITIES, "step", "()V");
            code.before(insn, list(call));
            size = code.instructions.size();
        }
    }

    /** It has got them, if it gets any. */
    public void end() {
        if (call != null && code.instructions.size() == size) {
            code.instructions.remove(call);
        } else if (call != null) {
            code.sites.steer();
        }
        call = null;
    }
}
