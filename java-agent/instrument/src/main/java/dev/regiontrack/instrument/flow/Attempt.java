package dev.regiontrack.instrument.flow;

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
 * A part of a method that can be executed again from its start without a difference: it reads, and has no other effect. Some of its exits are such
 * that what it has read has no consequence there ({@link Attempts}).
 */
public final class Attempt {
    /** Where an exit leads. */
    public enum Exit {
        /** To the start: the method looks again. */
        AGAIN,
        /** On, to an instruction that looks itself at what was read, or after nothing was read. */
        ON,
        /** To code for which what was read has consequences. */
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
    /** What methods of the program are called must not even read. */
    public final boolean onlyComputes;
    private final BitSet region;
    /** A round that leads back to the start shows that the thread waits for another one to write. */
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

    /** To go on there, these constructors and static methods must have no effect. */
    void ask(int to, List<MethodInsnNode> calls) {
        asked.put(to, calls);
    }

    /** What has to be asked before it goes on there. */
    public List<MethodInsnNode> asked(int to) {
        return asked.getOrDefault(to, List.of());
    }

    /** If this instruction throws, its values have no consequence so far: the attempt itself is to throw. */
    void leaveIfThrows(int i) {
        throwing.set(i);
    }

    /** True if the copy is left where this instruction throws. */
    public boolean leavesIfThrows(int i) {
        return throwing.get(i);
    }

    /** It leads on to this call, which only takes time, and then to the start. */
    void pause(int to) {
        pauses.set(to);
    }

    /** True for an exit at which a round ends that shows that the thread waits, before a call that only takes time. */
    public boolean waitsAt(int to) {
        return isWait && pauses.get(to);
    }

    void setWait() {
        isWait = true;
    }

    /** True if the thread waits for another one to write when it is led back to the start. */
    public boolean isWait() {
        return isWait;
    }

    /** True if this instruction is in it. */
    boolean contains(int i) {
        return region.get(i);
    }

    /** Its instructions, by number in the method, without labels and the like. */
    public BitSet region() {
        return region;
    }

    /** Where an instruction can jump to. */
    public static List<LabelNode> targets(AbstractInsnNode insn) {
        return Jumps.targets(insn);
    }

    /** True if the next instruction can follow. */
    public static boolean goesOn(AbstractInsnNode insn) {
        return Jumps.goesOn(insn);
    }

    /** The number that a label of these instructions had before the method was changed. */
    public int number(LabelNode label) {
        return jumps.number(label);
    }

    /** One of these instructions: perhaps of a method that is called. */
    public AbstractInsnNode at(int i) {
        return jumps.at(i);
    }

    /** The number of the start. */
    public int first() {
        return first;
    }

    /** The method's own instruction there; if it is of a method that is called, the call. */
    public AbstractInsnNode place(int i) {
        return code.place(jumps.at(i));
    }

    /** What a handler of the method protects. */
    public int[] range(TryCatchBlockNode block) {
        TryCatchBlockNode range = code.range(block);
        return new int[] {jumps.number(range.start), jumps.number(range.end)};
    }

    /** What the verifier knows before an instruction, before the method was changed. */
    public FrameNode frame(int i) {
        return types.before(jumps.at(i));
    }

    /** The same, and what is known at the start: on the ways from the attempt to an instruction, that is known as well. */
    public FrameNode frameFromInside(int i) {
        return types.keeping(jumps.at(first), jumps.at(i));
    }

    /** The number of the real instruction that comes next from here on. */
    public int real(int i) {
        return jumps.real(i);
    }

    /** Where it leads to continue with this real instruction; null if that is inside. */
    public Exit exitTo(int i) {
        return i == first ? Exit.AGAIN : region.get(i) ? null : exits.get(i);
    }

    /** True for a call that looks for a key in a map. */
    public boolean isLook(int i) {
        return variables.isLook(jumps.at(i));
    }

    /** True for a call of a method that may do nothing but read, which has to be found out first. */
    public boolean isAsk(int i) {
        return values.number(jumps.at(i)) >= 0 && variables.canBeAsked(jumps.at(i));
    }

    /** The first local that is used nowhere in it. */
    public int free() {
        return code.method.maxLocals;
    }

    /** True if a look only asks whether the key is there. */
    public boolean asksForKey(int look) {
        return variables.asksForKey(jumps.at(look));
    }

    /** The instructions to which it leads on. */
    public int[] on() {
        return exits.entrySet().stream().filter(exit -> exit.getValue() == Exit.ON).mapToInt(Map.Entry::getKey).sorted().toArray();
    }
}
