package dev.regiontrack.instrument.code;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.steering.Priorities;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Where threads have priorities: a call before each instruction that has a hook, outside all its hooks. Otherwise no code, nor in the platform's
 * classes and in class initialisers, for whose end others may wait.
 */
public final class Steps {
    private final MethodCode code;
    private final boolean isOn;
    /** The call before the current instruction, and the length of the code with it. */
    private AbstractInsnNode call;
    private int size;

    public Steps(MethodCode code) {
        this.code = code;
        isOn = Priorities.isOn() && code.origin == Origin.PROGRAM && !code.isInitializer();
    }

    /**
     * Begins the hooks of an instruction. The call is added before them: a hook that jumps to before the instruction can need a frame that is not
     * needed otherwise.
     */
    public void begin(AbstractInsnNode insn) {
        // A new object has its label right before it.
        if (isOn && insn.getOpcode() >= 0 && insn.getOpcode() != NEW) {
            call = MethodCode.call(RuntimeNames.PRIORITIES, "step", "()V");
            code.before(insn, list(call));
            size = code.instructions.size();
        }
    }

    /** Ends the hooks of the instruction; removes the call if there are none. */
    public void end() {
        if (call != null && code.instructions.size() == size) {
            code.instructions.remove(call);
        } else if (call != null) {
            code.sites.steer();
        }
        call = null;
    }
}
