package dev.regiontrack.instrument.flow;

import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Which locals of a method are read later: before each instruction, those whose value can still be loaded. */
final class Liveness {
    private final BitSet[] before;

    Liveness(Jumps jumps) {
        int n = jumps.size();
        before = new BitSet[n];
        for (int i = 0; i < n; i++) {
            before[i] = new BitSet();
        }
        for (boolean isDone = false; !isDone;) {
            isDone = true;
            for (int i = n - 1; i >= 0; i--) {
                isDone &= !update(jumps, i);
            }
        }
    }

    private boolean update(Jumps jumps, int i) {
        BitSet live = new BitSet();
        for (int next : jumps.next(i)) {
            live.or(before[next]);
        }
        AbstractInsnNode insn = jumps.at(i);
        if (insn instanceof VarInsnNode) {
            int local = ((VarInsnNode) insn).var;
            live.set(local, insn.getOpcode() < Opcodes.ISTORE || insn.getOpcode() == Opcodes.RET);
        } else if (insn instanceof IincInsnNode) {
            live.set(((IincInsnNode) insn).var);
        }
        // An exception can come before the instruction has its effect, or after.
        for (int handler : jumps.handlers(i)) {
            live.or(before[handler]);
        }
        boolean isNew = !live.equals(before[i]);
        before[i] = live;
        return isNew;
    }

    /** The locals that are live before an instruction; not to be changed. */
    BitSet before(int i) {
        return before[i];
    }
}
