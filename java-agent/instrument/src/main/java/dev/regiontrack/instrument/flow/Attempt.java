package dev.regiontrack.instrument.flow;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * A part of a method that can be executed again from its start without a difference: it reads, and has no other effect. At some of its exits, what
 * it has read has no consequence ({@link Attempts}).
 */
public final class Attempt {
    /** The target of an exit. */
    public enum Exit {
        /** The start: the method looks again. */
        AGAIN,
        /** An instruction that itself looks at what was read; or nothing was read. */
        ON,
        /** Code for which what was read has consequences. */
        USED
    }

    /** The instruction at which it starts; nothing is on the stack there. */
    public final AbstractInsnNode start;
    /** The method's instructions, in order, with those of other methods in place of their calls. */
    private final Jumps jumps;
    private final Expanded code;
    private final Variables variables;
    private final LocalTypes types;
    private final SharedValues values;
    private final int first;
    /** Whether called methods of the program must not even read. */
    public final boolean onlyComputes;
    private final BitSet region;
    /** Whether a round that leads back to the start shows that the thread waits for another one to write. */
    private boolean isWait;
    private final Map<Integer, Exit> exits = new HashMap<>();
    private final BitSet pauses = new BitSet();
    private final BitSet throwing = new BitSet();
    private final Map<Integer, List<MethodInsnNode>> asked = new HashMap<>();

    Attempt(Expanded code, Jumps jumps, Variables variables, LocalTypes types, int first, BitSet region, SharedValues values, boolean onlyComputes) {
        this.values = values;
        this.onlyComputes = onlyComputes;
        this.jumps = jumps;
        this.code = code;
        this.variables = variables;
        this.types = types;
        this.first = first;
        this.region = region;
        start = place(first);
    }

    void exit(int to, Exit exit) {
        exits.put(to, exit);
    }

    /** Sets the constructors and static methods that must have no effect for the code to go on at {@code to}. */
    void ask(int to, List<MethodInsnNode> calls) {
        asked.put(to, calls);
    }

    /** Returns the methods that must be asked before the code goes on at {@code to}. */
    public List<MethodInsnNode> asked(int to) {
        return asked.getOrDefault(to, List.of());
    }

    /** If this instruction throws, its values have no consequence so far: the attempt itself is to throw. */
    void leaveIfThrows(int i) {
        throwing.set(i);
    }

    /** Whether the copy is left where this instruction throws. */
    public boolean leavesIfThrows(int i) {
        return throwing.get(i);
    }

    /** The attempt leads on to this call, which only takes time, and then to the start. */
    void pause(int to) {
        pauses.set(to);
    }

    /** Whether a round that shows that the thread waits ends at this exit, before a call that only takes time. */
    public boolean waitsAt(int to) {
        return isWait && pauses.get(to);
    }

    void setWait() {
        isWait = true;
    }

    /** Whether the thread waits for another one to write when it gets back to the start. */
    public boolean isWait() {
        return isWait;
    }

    /** Whether this instruction is in the attempt. */
    boolean contains(int i) {
        return region.get(i);
    }

    /** Returns its instructions, by number in the method, without labels and the like. */
    public BitSet region() {
        return region;
    }

    /** Returns the possible jump targets of an instruction. */
    public static List<LabelNode> targets(AbstractInsnNode insn) {
        return Jumps.targets(insn);
    }

    /** Whether the next instruction can follow. */
    public static boolean goesOn(AbstractInsnNode insn) {
        return Jumps.goesOn(insn);
    }

    /** Returns the number that a label of these instructions had before the method was changed. */
    public int number(LabelNode label) {
        return jumps.number(label);
    }

    /** Returns an instruction, perhaps of a called method. */
    public AbstractInsnNode at(int i) {
        return jumps.at(i);
    }

    /** Returns the number of the start. */
    public int first() {
        return first;
    }

    /** Returns the method's own instruction; for an instruction of a called method, the call. */
    public AbstractInsnNode place(int i) {
        return code.place(jumps.at(i));
    }

    /** Returns what a handler of the method protects. */
    public int[] range(TryCatchBlockNode block) {
        TryCatchBlockNode range = code.range(block);
        return new int[] {jumps.number(range.start), jumps.number(range.end)};
    }

    /** Returns what the verifier knew before an instruction, before the method was changed. */
    public FrameNode frame(int i) {
        return types.before(jumps.at(i));
    }

    /** The same, together with what is known at the start: on the paths from the attempt to an instruction, that is known as well. */
    public FrameNode frameFromInside(int i) {
        return types.keeping(jumps.at(first), jumps.at(i));
    }

    /** Returns the number of the next real instruction from here on. */
    public int real(int i) {
        return jumps.real(i);
    }

    /** Returns the exit to this real instruction; null if the instruction is inside. */
    public Exit exitTo(int i) {
        return i == first ? Exit.AGAIN : region.get(i) ? null : exits.get(i);
    }

    /** Whether this is a call that looks for a key in a map. */
    public boolean isLook(int i) {
        return variables.isLook(jumps.at(i));
    }

    /** Whether this is a call of a method that may do nothing but read, which must be found out first. */
    public boolean isAsk(int i) {
        return values.number(jumps.at(i)) >= 0 && variables.canBeAsked(jumps.at(i));
    }

    /** Returns the first local that the attempt does not use. */
    public int free() {
        return code.method.maxLocals;
    }

    /** Whether a lookup only asks whether the key is there. */
    public boolean asksForKey(int look) {
        return variables.asksForKey(jumps.at(look));
    }

    /** Returns the instructions at which the code goes on. */
    public int[] on() {
        int[] result = new int[exits.size()];
        int n = 0;
        for (Map.Entry<Integer, Exit> exit : exits.entrySet()) {
            if (exit.getValue() == Exit.ON) {
                result[n++] = exit.getKey();
            }
        }
        Arrays.sort(result, 0, n);
        return Arrays.copyOf(result, n);
    }
}
