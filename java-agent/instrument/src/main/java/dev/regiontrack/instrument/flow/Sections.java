package dev.regiontrack.instrument.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The critical sections of a method in which nothing may be written: {@code synchronized} methods and statements, and what is between {@code lock()}
 * and {@code unlock()} of one lock. Such a section reads its lock until it comes to an instruction that may change something; there is a hook before
 * that instruction. {@code analysis-core/src/filter/sections.rs} is the specification.
 *
 * <p>The analysis follows every instruction that can follow the acquire, up to the release or to the first that is not {@link Harmless}. A section
 * that cannot get to its end without one writes from its start, without such hooks; so does one whose end is unknown.
 */
public final class Sections {
    /** The most places in a method at which sections begin to write; with more, they write from their start. */
    private static final int MOST_WRITES = 8;
    private static final Sections NONE = new Sections();

    private final Set<AbstractInsnNode> readers = new HashSet<>();
    private final Set<AbstractInsnNode> writes = new HashSet<>();
    private boolean isReader;

    private Sections() {
    }

    /** Returns the sections of a method without any. */
    public static Sections none() {
        return NONE;
    }

    /**
     * Finds those of a method; must be called before the method is changed. {@code calls} and {@code accesses} are those of what no other thread
     * can reach.
     */
    public static Sections of(ClassNode type, MethodNode method, Accesses all, Set<AbstractInsnNode> calls, Set<AbstractInsnNode> accesses) {
        boolean isSynchronized = (method.access & Opcodes.ACC_SYNCHRONIZED) != 0;
        if (!isSynchronized && !all.callees().areActs()) {
            return NONE;
        }
        boolean hasLocks = false;
        boolean hasMonitors = false;
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            hasLocks |= Variables.isLock(insn);
            hasMonitors |= insn.getOpcode() == Opcodes.MONITORENTER;
        }
        Jumps jumps = isSynchronized || hasLocks || hasMonitors ? new Jumps(method) : null;
        if (jumps == null || !jumps.areKnown) {
            return NONE;
        }
        Set<AbstractInsnNode> unreachable = new HashSet<>(calls);
        unreachable.addAll(accesses);
        if (makesArray(method)) {
            unreachable.addAll(OwnElements.of(type, method));
        }
        Sections result = new Sections();
        Frame<SharedValue>[] frames = hasLocks ? frames(type, method, all, jumps) : null;
        result.isReader = isSynchronized && result.add(new Section(method, jumps, all.harmless(), unreachable, frames, -1));
        for (int i = 0; i < jumps.size(); i++) {
            AbstractInsnNode insn = jumps.at(i);
            boolean begins = insn.getOpcode() == Opcodes.MONITORENTER || frames != null && frames[i] != null && Variables.isLock(insn);
            if (begins && result.add(new Section(method, jumps, all.harmless(), unreachable, frames, i))) {
                result.readers.add(insn);
            }
        }
        return result;
    }

    private static boolean makesArray(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            int op = insn.getOpcode();
            if (op == Opcodes.NEWARRAY || op == Opcodes.ANEWARRAY || op == Opcodes.MULTIANEWARRAY) {
                return true;
            }
        }
        return false;
    }

    private static Frame<SharedValue>[] frames(ClassNode type, MethodNode method, Accesses all, Jumps jumps) {
        try {
            return new Analyzer<>(new SharedValues(all, Attempts.once(jumps), List.of())).analyze(type.name, method);
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it.
            return null;
        }
    }

    private boolean add(Section section) {
        if (!section.canEnd() || !section.findWrites() || writes.size() + section.found.size() > MOST_WRITES) {
            return false;
        }
        writes.addAll(section.found);
        return true;
    }

    /** Whether the method is synchronized, and its section may write nothing. */
    public boolean isReader() {
        return isReader;
    }

    /** Whether the instruction enters a monitor, or takes a lock, for such a section. */
    public boolean begins(AbstractInsnNode insn) {
        return readers.contains(insn);
    }

    /** Whether there are such sections that may begin to write. */
    public boolean mayWrite() {
        return !writes.isEmpty();
    }

    /** Whether a section that has only read so far may begin to write at this instruction. */
    public boolean mayWrite(AbstractInsnNode insn) {
        return writes.contains(insn);
    }

    /** One section: of the whole method, of a monitor, or of a lock with a name. */
    private static final class Section {
        private final MethodNode method;
        private final Jumps jumps;
        private final Harmless harmless;
        private final Set<AbstractInsnNode> own;
        private final Frame<SharedValue>[] frames;
        private final int start;
        private final boolean isMonitor;
        /** The name of the lock, if it is one. */
        private final String lock;
        /** By instruction: the number of monitors entered in the section that are held before it, plus one; 0 if it was not reached. */
        private int[] held;
        private boolean ends;
        private final Set<AbstractInsnNode> found = new HashSet<>();

        /** {@code start} is the instruction that begins it; -1 for the method. */
        Section(MethodNode method, Jumps jumps, Harmless harmless, Set<AbstractInsnNode> own, Frame<SharedValue>[] frames, int start) {
            this.method = method;
            this.jumps = jumps;
            this.harmless = harmless;
            this.own = own;
            this.frames = frames;
            this.start = start;
            isMonitor = start >= 0 && jumps.at(start).getOpcode() == Opcodes.MONITORENTER;
            lock = start < 0 || isMonitor ? null : name(start);
        }

        private String name(int call) {
            Frame<SharedValue> frame = frames[call];
            String name = frame == null || frame.getStackSize() == 0 ? null : frame.getStack(frame.getStackSize() - 1).name;
            return Variables.isStable(name) ? name : null;
        }

        private boolean isLock() {
            return start >= 0 && !isMonitor;
        }

        /** Whether it can come to its end, without exceptions, without an instruction that may write. */
        boolean canEnd() {
            return !(isLock() && lock == null) && walk(false) && ends;
        }

        /** Finds the instructions that may be the first to write. Returns false if the code is of an unsupported kind. */
        boolean findWrites() {
            return walk(true);
        }

        private boolean walk(boolean followsExceptions) {
            held = new int[jumps.size()];
            Deque<Integer> todo = new ArrayDeque<>();
            found.clear();
            if (!reach(jumps.real(start + 1), isMonitor ? 2 : 1, todo)) {
                return false;
            }
            while (!todo.isEmpty()) {
                int i = todo.pop();
                AbstractInsnNode insn = jumps.at(i);
                if (!isEnd(i) && mayWrite(i)) {
                    found.add(insn);
                    continue;
                }
                for (int handler : followsExceptions ? jumps.handlers(i) : new int[0]) {
                    if (!reach(jumps.real(handler), held[i], todo)) {
                        return false;
                    }
                }
                if (isEnd(i)) {
                    ends = true;
                    continue;
                }
                int op = insn.getOpcode();
                int more = op == Opcodes.MONITORENTER ? 1 : op == Opcodes.MONITOREXIT ? -1 : 0;
                for (int next : jumps.next(i)) {
                    if (!reach(jumps.real(next), held[i] + more, todo)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Returns false if the instruction is reached with other monitors, or the code ends there. */
        private boolean reach(int i, int monitors, Deque<Integer> todo) {
            if (i == jumps.size() || monitors < 1 || held[i] != 0 && held[i] != monitors) {
                return false;
            }
            if (held[i] == 0) {
                held[i] = monitors;
                todo.push(i);
            }
            return true;
        }

        /** Whether this is the release. */
        private boolean isEnd(int i) {
            AbstractInsnNode insn = jumps.at(i);
            int op = insn.getOpcode();
            if (start < 0) {
                return op >= Opcodes.IRETURN && op <= Opcodes.RETURN;
            }
            return isMonitor ? op == Opcodes.MONITOREXIT && held[i] == 2 : Variables.isUnlock(insn) && lock.equals(name(i));
        }

        /** If a method is left while the lock is held, unknown code runs under the lock. */
        private boolean mayWrite(int i) {
            AbstractInsnNode insn = jumps.at(i);
            int op = insn.getOpcode();
            boolean isLeft = op >= Opcodes.IRETURN && op <= Opcodes.RETURN || op == Opcodes.ATHROW && jumps.handlers(i).length == 0;
            boolean isCall = insn instanceof MethodInsnNode;
            return isLeft && start >= 0 || isCall && isLock() && jumps.handlers(i).length == 0 || !harmless.is(method, insn, own);
        }
    }
}
