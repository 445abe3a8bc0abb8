package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.frames.Frames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * What the verifier knows of the locals of a method: a backward jump is allowed only if all that was known at its target still is. A frame of the
 * class file can drop a local that is out of scope, though its value is still there.
 */
final class LocalTypes {
    private final Frames frames;

    LocalTypes(String type, MethodNode method) {
        Set<AbstractInsnNode> all = new HashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() >= 0) {
                all.add(insn);
            }
        }
        frames = new Frames(type, method, all);
    }

    /** Returns what is known of locals and operands before an instruction; null if it is unreachable. */
    FrameNode before(AbstractInsnNode insn) {
        return frames.before(insn);
    }

    /**
     * Returns what is known before an instruction on all paths to it from places at which {@link #areKept}: more than the class file says there, if
     * it drops a local because it is no longer needed. Null if it is unreachable.
     */
    FrameNode keeping(AbstractInsnNode start, AbstractInsnNode insn) {
        FrameNode after = frames.before(insn);
        if (after == null || beginsWith(after.local, frames.before(start).local)) {
            return after;
        }
        List<Object> kept = expanded(frames.before(start).local);
        List<Object> types = expanded(after.local);
        for (int i = 0; i < kept.size(); i++) {
            Object type = kept.get(i);
            if (i == types.size()) {
                types.add(type);
            } else if (type != Opcodes.TOP) {
                types.set(i, type);
            }
        }
        FrameNode result = Frames.copy(after);
        result.local = listed(types);
        return result;
    }

    /**
     * Whether before an instruction each local has the type that it has at the start, or its frame drops it: on the paths from there, it still has
     * the type.
     */
    boolean areKept(AbstractInsnNode start, AbstractInsnNode insn) {
        FrameNode before = frames.before(start);
        FrameNode after = frames.before(insn);
        if (before == null || after == null) {
            return false;
        }
        if (beginsWith(after.local, before.local)) {
            return true;
        }
        List<Object> wanted = expanded(before.local);
        List<Object> found = expanded(after.local);
        for (int i = 0; i < wanted.size(); i++) {
            boolean isForgotten = i >= found.size() || found.get(i) == Opcodes.TOP && !isHalf(found, i);
            boolean isKept = wanted.get(i) == Opcodes.TOP || isForgotten || wanted.get(i).equals(found.get(i));
            if (!isKept) {
                return false;
            }
        }
        return true;
    }

    /** Whether this is the second half of a long or double. */
    private static boolean isHalf(List<Object> expanded, int local) {
        return local > 0 && (expanded.get(local - 1) == Opcodes.LONG || expanded.get(local - 1) == Opcodes.DOUBLE);
    }

    /** Mostly only new locals have come since. */
    private static boolean beginsWith(List<Object> found, List<Object> wanted) {
        if (found.size() < wanted.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!found.get(i).equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The same after a local was set. */
    boolean areKeptBy(AbstractInsnNode start, VarInsnNode store) {
        List<Object> wanted = expanded(frames.before(start).local);
        List<Object> stack = frames.before(store).stack;
        Object set = stack.get(stack.size() - 1);
        boolean isWide = set == Opcodes.LONG || set == Opcodes.DOUBLE;
        return isFree(wanted, store.var, set) && (!isWide || isFree(wanted, store.var + 1, Opcodes.TOP)) && (store.var == 0 || isNarrow(wanted, store.var - 1));
    }

    private static boolean isFree(List<Object> wanted, int local, Object type) {
        return local >= wanted.size() || wanted.get(local) == Opcodes.TOP || wanted.get(local).equals(type);
    }

    /** A local whose second half is set is gone. */
    private static boolean isNarrow(List<Object> wanted, int local) {
        return local >= wanted.size() || wanted.get(local) != Opcodes.LONG && wanted.get(local) != Opcodes.DOUBLE;
    }

    /** Lists the types as in a frame: one entry for a long or double. */
    private static List<Object> listed(List<Object> expanded) {
        List<Object> result = new ArrayList<>();
        for (int i = 0; i < expanded.size(); i++) {
            Object type = expanded.get(i);
            result.add(type);
            if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
                i++;
            }
        }
        return result;
    }

    /** Lists one entry for each local: the second half of a long or double is unknown. */
    private static List<Object> expanded(List<Object> types) {
        List<Object> result = new ArrayList<>();
        for (Object type : types) {
            result.add(type);
            if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
                result.add(Opcodes.TOP);
            }
        }
        return result;
    }
}
