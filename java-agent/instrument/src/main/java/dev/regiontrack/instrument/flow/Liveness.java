package dev.regiontrack.instrument.flow;

import java.util.Arrays;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Finds which locals of a method are read later: before each instruction, those whose value may still be loaded. */
final class Liveness {
    private static final int BITS = Long.SIZE;

    /** The number of words for an instruction. */
    private final int words;
    /** A bit for each local, by instruction. */
    private final long[] before;
    private final long[] live;

    Liveness(Jumps jumps) {
        int n = jumps.size();
        words = locals(jumps) / BITS + 1;
        before = new long[n * words];
        live = new long[words];
        for (boolean isDone = false; !isDone;) {
            isDone = true;
            for (int i = n - 1; i >= 0; i--) {
                isDone &= !update(jumps, i);
            }
        }
    }

    /** Returns the greatest number of a local. */
    private static int locals(Jumps jumps) {
        int most = 0;
        for (int i = 0; i < jumps.size(); i++) {
            AbstractInsnNode insn = jumps.at(i);
            if (insn instanceof VarInsnNode) {
                most = Math.max(most, ((VarInsnNode) insn).var);
            } else if (insn instanceof IincInsnNode) {
                most = Math.max(most, ((IincInsnNode) insn).var);
            }
        }
        return most;
    }

    private boolean update(Jumps jumps, int i) {
        Arrays.fill(live, 0);
        add(jumps.next(i));
        AbstractInsnNode insn = jumps.at(i);
        if (insn instanceof VarInsnNode) {
            set(((VarInsnNode) insn).var, insn.getOpcode() < Opcodes.ISTORE || insn.getOpcode() == Opcodes.RET);
        } else if (insn instanceof IincInsnNode) {
            set(((IincInsnNode) insn).var, true);
        }
        // An exception can come before the instruction has its effect, or after.
        add(jumps.handlers(i));
        boolean isNew = false;
        for (int word = 0; word < words; word++) {
            isNew |= before[i * words + word] != live[word];
            before[i * words + word] = live[word];
        }
        return isNew;
    }

    /** Adds what is live before these instructions. */
    private void add(int[] following) {
        for (int next : following) {
            for (int word = 0; word < words; word++) {
                live[word] |= before[next * words + word];
            }
        }
    }

    private void set(int local, boolean isLive) {
        long bit = 1L << local % BITS;
        live[local / BITS] = isLive ? live[local / BITS] | bit : live[local / BITS] & ~bit;
    }

    /** Returns the locals that are live before an instruction. */
    BitSet before(int i) {
        return BitSet.valueOf(Arrays.copyOfRange(before, i * words, (i + 1) * words));
    }
}
