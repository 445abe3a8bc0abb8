package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.flow.Attempt;
import dev.regiontrack.instrument.flow.Attempt.Exit;
import dev.regiontrack.instrument.frames.Frames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Rehearsals of attempts: a copy of each attempt, without hooks, runs first. If what it has read has no consequence, the program goes on from there,
 * and there was no event. Otherwise the attempt itself runs, from its start and with its hooks, as if the thread had come a moment later; so every
 * event is a read that the program's own instructions have made.
 */
final class Rehearsals {
    private final MethodCode code;
    private final MethodNode method;
    private final List<Attempt> attempts;
    /** By start of an attempt: the start of its copy. */
    private final Map<AbstractInsnNode, LabelNode> starts = new HashMap<>();
    private final Map<AbstractInsnNode, LabelNode> entries = new HashMap<>();
    private final InsnList copies = new InsnList();
    private BiFunction<AbstractInsnNode, AbstractInsnNode, InsnList> onTheWay;
    /** The ranges of handlers in the copies. */
    private final Set<TryCatchBlockNode> ranges = new HashSet<>();

    /** The method has frames, and no hooks yet. Its own instructions stay, in order. */
    Rehearsals(MethodCode code, List<Attempt> attempts) {
        this.code = code;
        method = code.method;
        this.attempts = new ArrayList<>();
        for (Attempt attempt : attempts) {
            if (areFramesKnown(attempt)) {
                this.attempts.add(attempt);
            }
        }
    }

    /**
     * Makes the method enter the copies. {@code onTheWay} returns the code for the way on from the copy of the attempt that starts at its first argument to
     * the second one, which can be empty.
     */
    void lead(BiFunction<AbstractInsnNode, AbstractInsnNode, InsnList> onTheWay) {
        if (attempts.isEmpty()) {
            return;
        }
        this.onTheWay = onTheWay;
        List<Rehearsal> rehearsals = new ArrayList<>();
        for (Attempt attempt : attempts) {
            rehearsals.add(new Rehearsal(attempt));
        }
        for (Rehearsal rehearsal : rehearsals) {
            rehearsal.write();
        }
        for (Rehearsal rehearsal : rehearsals) {
            rehearsal.redirect();
        }
        for (Attempt attempt : attempts) {
            target(attempt, attempt.first());
            for (int on : attempt.on()) {
                target(attempt, on);
            }
        }
    }

    /** Returns the label of the copy of the attempt that starts here, to which all paths lead; null if there is none. */
    LabelNode copyOf(AbstractInsnNode start) {
        return starts.get(start);
    }

    /** Adds code before such a copy. */
    void atCopyOf(AbstractInsnNode start, InsnList added) {
        copies.insert(starts.get(start).getNext(), added);
    }

    /** Adds the copies, once the method's own instructions have their hooks, and before it has handlers for its end. */
    void add() {
        method.instructions.add(copies);
    }

    /** Redirects the jumps of an instruction. */
    static void redirect(AbstractInsnNode insn, Map<LabelNode, LabelNode> moved) {
        if (insn instanceof JumpInsnNode) {
            JumpInsnNode jump = (JumpInsnNode) insn;
            jump.label = moved.getOrDefault(jump.label, jump.label);
        } else if (insn instanceof TableSwitchInsnNode) {
            TableSwitchInsnNode choice = (TableSwitchInsnNode) insn;
            move(choice.labels, moved);
            choice.dflt = moved.getOrDefault(choice.dflt, choice.dflt);
        } else if (insn instanceof LookupSwitchInsnNode) {
            LookupSwitchInsnNode choice = (LookupSwitchInsnNode) insn;
            move(choice.labels, moved);
            choice.dflt = moved.getOrDefault(choice.dflt, choice.dflt);
        }
    }

    private static void move(List<LabelNode> labels, Map<LabelNode, LabelNode> moved) {
        for (int i = 0; i < labels.size(); i++) {
            labels.set(i, moved.getOrDefault(labels.get(i), labels.get(i)));
        }
    }

    /** A frame with an object whose constructor was not yet called cannot be put elsewhere. */
    private static boolean areFramesKnown(Attempt attempt) {
        boolean areKnown = isKnown(attempt.frame(attempt.first()));
        for (int on : attempt.on()) {
            areKnown &= isKnown(attempt.frame(on));
        }
        return areKnown;
    }

    private static boolean isKnown(FrameNode frame) {
        return frame != null && areKnown(frame.local) && areKnown(frame.stack);
    }

    private static boolean areKnown(List<Object> types) {
        for (Object type : types) {
            if (type instanceof LabelNode) {
                return false;
            }
        }
        return true;
    }

    /** Returns the label right before an instruction of the method to which a copy jumps. */
    private LabelNode entry(AbstractInsnNode insn) {
        return label(entries, insn);
    }

    /** Returns the label of this key, which gets one if it has none. */
    private static <K> LabelNode label(Map<K, LabelNode> labels, K key) {
        LabelNode known = labels.get(key);
        if (known == null) {
            known = new LabelNode();
            labels.put(key, known);
        }
        return known;
    }

    private void target(Attempt attempt, int i) {
        AbstractInsnNode insn = attempt.place(i);
        LabelNode label = entries.remove(insn);
        if (label != null) {
            // A label right before a new names its object in frames.
            AbstractInsnNode at = insn.getOpcode() == NEW ? insn.getPrevious() : insn;
            code.before(at, Frames.isAfterFrame(insn) ? list(label) : list(label, Frames.copy(attempt.frame(i))));
        }
    }

    /** One copy. */
    private final class Rehearsal {
        private final Attempt attempt;
        private final LabelNode start = new LabelNode();
        /** The start's own copy, if another instruction is before it. */
        private final LabelNode first = new LabelNode();
        private final Map<Integer, LabelNode> labels = new HashMap<>();
        private final Map<Integer, LabelNode[]> written = new HashMap<>();
        /** By target of a jump whose values are needed, or a lookup that has found something: the code that clears the stack first. */
        private final Map<Integer, LabelNode> clearing = new TreeMap<>();
        /** The target of a round that shows that the thread waits, if there is one. */
        private final LabelNode round = new LabelNode();
        private boolean goesRound;
        /** The target of the exceptions of asked methods, and of those of reads that can throw, if there are any. */
        private LabelNode failed;
        private LabelNode thrown;
        private final List<TryCatchBlockNode> asked = new ArrayList<>();
        /** The sites of the calls of asked methods, by number of the call. */
        private final Map<Integer, Integer> sites = new TreeMap<>();
        /** By target that is reached only if some methods have no effect: the code that asks them. */
        private final Map<Integer, LabelNode> conditions = new TreeMap<>();
        /** By call that only takes time, at the end of a round that shows that the thread waits: the code before it. */
        private final Map<Integer, LabelNode> pauses = new TreeMap<>();
        /** By instruction to which the copy leads on, if there is code on the way: that code. */
        private final Map<Integer, LabelNode> ways = new TreeMap<>();
        private int line;

        Rehearsal(Attempt attempt) {
            this.attempt = attempt;
            starts.put(attempt.start, start);
        }

        void write() {
            copies.add(list(start, Frames.copy(attempt.frame(attempt.first()))));
            BitSet region = attempt.region();
            for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
                if (attempt.isAsk(i)) {
                    giveUp(i);
                }
            }
            if (region.nextSetBit(0) != attempt.first()) {
                copies.add(new JumpInsnNode(GOTO, first));
            }
            for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
                copy(i);
            }
            for (Map.Entry<Integer, LabelNode> condition : conditions.entrySet()) {
                leadOn(condition.getKey(), condition.getValue());
            }
            for (Map.Entry<Integer, LabelNode> pause : pauses.entrySet()) {
                pause(pause.getKey(), pause.getValue());
            }
            for (Map.Entry<Integer, LabelNode> way : ways.entrySet()) {
                copies.add(list(way.getValue(), Frames.copy(attempt.frame(way.getKey()))));
                copies.add(onTheWay.apply(attempt.start, attempt.place(way.getKey())));
                copies.add(new JumpInsnNode(GOTO, entered(way.getKey())));
            }
            for (Map.Entry<Integer, LabelNode> target : clearing.entrySet()) {
                clear(target.getKey(), target.getValue());
            }
            if (goesRound) {
                copies.add(list(round, Frames.copy(attempt.frame(attempt.first()))));
                copies.add(code.hook("waited"));
                copies.add(new JumpInsnNode(GOTO, start));
            }
            fail();
            protect();
        }

        private LabelNode label(int i) {
            return Rehearsals.label(labels, i);
        }

        /** Copies an instruction, with a frame if the class file has one before it, and the jump onwards. */
        private void copy(int i) {
            AbstractInsnNode insn = attempt.at(i);
            copies.add(label(i));
            if (i != attempt.first()) {
                frame(i, insn);
            } else if (attempt.region().nextSetBit(0) != i) {
                copies.add(list(first, Frames.copy(attempt.frame(i))));
            }
            int at = code.line(attempt.place(i));
            if (at != line && at > 0) {
                LabelNode here = new LabelNode();
                copies.add(list(here, new LineNumberNode(at, here)));
                line = at;
            }
            LabelNode begin = new LabelNode();
            copies.add(begin);
            if (attempt.isLook(i)) {
                look(i);
            } else if (attempt.isAsk(i)) {
                ask(i, (MethodInsnNode) insn);
            } else {
                copies.add(insn.clone(targets(insn)));
            }
            LabelNode end = new LabelNode();
            copies.add(end);
            if (attempt.leavesIfThrows(i)) {
                thrown = leave(begin, end, thrown);
            }
            written.put(i, new LabelNode[] {begin, end});
            if (Attempt.goesOn(insn)) {
                goOn(i);
            }
        }

        /** Where the class file has a frame, the copy has one that keeps every local known at the start: some paths lead back there. */
        private void frame(int i, AbstractInsnNode insn) {
            for (AbstractInsnNode before = insn.getPrevious(); before != null && before.getOpcode() < 0; before = before.getPrevious()) {
                if (before instanceof FrameNode) {
                    copies.add(Frames.copy(attempt.frameFromInside(i)));
                    return;
                }
            }
        }

        /** Adds what follows an instruction that does not jump. */
        private void goOn(int i) {
            int next = attempt.real(i + 1);
            Exit exit = attempt.exitTo(next);
            if (exit == Exit.USED) {
                again(attempt.frame(next));
            } else if (exit != null || attempt.region().nextSetBit(i + 1) != next) {
                copies.add(new JumpInsnNode(GOTO, target(next)));
            }
        }

        /** Jumps to the attempt itself, which starts with an empty stack. */
        private void again(FrameNode from) {
            for (int i = from.stack.size() - 1; i >= 0; i--) {
                copies.add(new InsnNode(from.stack.get(i) == LONG || from.stack.get(i) == DOUBLE ? POP2 : POP));
            }
            copies.add(new JumpInsnNode(GOTO, entry(attempt.start)));
        }

        private void clear(int from, LabelNode label) {
            FrameNode frame = attempt.frameFromInside(from);
            for (int i = attempt.region().get(from) ? taken(from) : 0; i > 0; i--) {
                frame = Frames.less(frame);
            }
            copies.add(list(label, Frames.copy(frame)));
            again(frame);
        }

        /**
         * Returns how many operands of a lookup or of an asked call are no longer on the stack if it is not made: the map and the key, or the
         * arguments.
         */
        private int taken(int i) {
            return attempt.isLook(i) ? 2 : Type.getArgumentTypes(((MethodInsnNode) attempt.at(i)).desc).length;
        }

        /** Gives up if asked methods have effects: the copy is then futile. */
        private void giveUp(int ask) {
            int site = code.sites.asking((MethodInsnNode) attempt.at(ask));
            sites.put(ask, site);
            copies.add(list(code.sites.push(code.instructions, site), new MethodInsnNode(INVOKESTATIC, RuntimeNames.ASKING, "isInVain", "(I)Z", false)));
            copies.add(new JumpInsnNode(IFNE, entry(attempt.start)));
        }

        /**
         * Asks whether a method does nothing but read, and then calls it so that its reads are no events. If it throws, the attempt itself shall
         * throw.
         */
        private void ask(int i, MethodInsnNode call) {
            LabelNode refused = Rehearsals.label(clearing, i);
            Type[] types = Type.getArgumentTypes(call.desc);
            boolean isStatic = call.getOpcode() == INVOKESTATIC;
            int local = Math.max(code.free(), attempt.free()) + (Type.getArgumentsAndReturnSizes(call.desc) >> 2);
            List<AbstractInsnNode> loads = new ArrayList<>();
            for (int k = types.length - 1; k >= 0; k--) {
                local -= types[k].getSize();
                copies.add(new VarInsnNode(types[k].getOpcode(ISTORE), local));                  // .. r
                loads.add(0, new VarInsnNode(types[k].getOpcode(ILOAD), local));
            }
            if (!isStatic) {
                copies.add(new InsnNode(DUP));                                                   // .. r r
            }
            String desc = (isStatic ? "(" : "(" + OBJECT) + RuntimeNames.STATE_TYPE + "I)Z";
            copies.add(list(code.loadState(), code.sites.push(code.instructions, sites.get(i))));
            copies.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.ASKING, attempt.onlyComputes ? "computes" : "reads", desc, false));
            copies.add(new JumpInsnNode(IFEQ, refused));                                         // .. r
            for (AbstractInsnNode load : loads) {
                copies.add(load);                                                                // .. r ..
            }
            LabelNode begin = new LabelNode();
            LabelNode end = new LabelNode();
            copies.add(list(begin, call.clone(Map.of()), end));                                  // .. v
            answered();
            failed = leave(begin, end, failed);
        }

        /** If the code between the labels throws, the attempt itself shall throw. Returns the target: the handler, if there is one yet. */
        private LabelNode leave(LabelNode begin, LabelNode end, LabelNode handler) {
            LabelNode to = handler == null ? new LabelNode() : handler;
            asked.add(new TryCatchBlockNode(begin, end, to, null));
            return to;
        }

        /** Makes reads events again: without a call, for which the stack may be too full. */
        private void answered() {
            copies.add(list(code.loadState(), new InsnNode(ICONST_0), new FieldInsnNode(PUTFIELD, RuntimeNames.STATE, "asking", "I")));
        }

        private void fail() {
            if (failed != null) {
                copies.add(caught(failed));
                answered();
                copies.add(new JumpInsnNode(GOTO, entry(attempt.start)));
            }
            if (thrown != null) {
                // A caller may be asking the method that contains this: that question goes on.
                copies.add(caught(thrown));
                copies.add(new JumpInsnNode(GOTO, entry(attempt.start)));
            }
        }

        private InsnList caught(LabelNode handler) {
            return list(handler, Frames.alone(attempt.frame(attempt.first()), "java/lang/Throwable"), new InsnNode(POP));
        }

        /** Asks whether a key is certainly absent from a map, and takes what the lookup would then have found. */
        private void look(int i) {
            LabelNode found = Rehearsals.label(clearing, i);
            copies.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.LOOKS, "isAbsent", "(" + OBJECT + OBJECT + ")Z", false));
            copies.add(new JumpInsnNode(IFEQ, found));
            copies.add(new InsnNode(attempt.asksForKey(i) ? ICONST_0 : ACONST_NULL));
        }

        private LabelNode target(int i) {
            Exit exit = attempt.exitTo(i);
            if (exit == null) {
                return label(i);
            }
            if (exit == Exit.USED) {
                return attempt.frame(i).stack.isEmpty() ? entry(attempt.start) : Rehearsals.label(clearing, i);
            }
            if (exit == Exit.AGAIN && attempt.isWait()) {
                goesRound = true;
                return round;
            }
            if (attempt.waitsAt(i)) {
                return Rehearsals.label(pauses, i);
            }
            if (exit == Exit.ON && !attempt.asked(i).isEmpty()) {
                return Rehearsals.label(conditions, i);
            }
            return on(i);
        }

        /** Adds the code before instructions that must have no effect: goes on if all that they call has none; otherwise the attempt itself runs. */
        private void leadOn(int i, LabelNode label) {
            copies.add(list(label, Frames.copy(attempt.frameFromInside(i))));
            LabelNode refused = Rehearsals.label(clearing, i);
            for (MethodInsnNode call : attempt.asked(i)) {
                copies.add(list(code.sites.push(code.instructions, code.sites.asking(call))));
                copies.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.ASKING, "isPure", "(I)Z", false));
                copies.add(new JumpInsnNode(IFEQ, refused));
            }
            copies.add(new JumpInsnNode(GOTO, on(i)));
        }

        /** Adds the code before a call that only takes time, at the end of a round that shows that the thread waits. */
        private void pause(int i, LabelNode label) {
            copies.add(list(label, Frames.copy(attempt.frame(i))));
            copies.add(code.hook("waited"));
            copies.add(new JumpInsnNode(GOTO, on(i)));
        }

        private LabelNode on(int i) {
            boolean hasCode = onTheWay.apply(attempt.start, attempt.place(i)).size() > 0;
            return hasCode ? Rehearsals.label(ways, i) : entered(i);
        }

        /** Returns the label of the place where the method goes on: a copy, if one starts there. */
        private LabelNode entered(int i) {
            AbstractInsnNode to = attempt.place(i);
            return starts.containsKey(to) ? starts.get(to) : entry(to);
        }

        private Map<LabelNode, LabelNode> targets(AbstractInsnNode insn) {
            Map<LabelNode, LabelNode> result = new HashMap<>();
            for (LabelNode label : Attempt.targets(insn)) {
                result.put(label, target(attempt.real(attempt.number(label))));
            }
            return result;
        }

        /** Makes the method's handlers cover the copies of what is in their ranges. */
        private void protect() {
            List<TryCatchBlockNode> all = new ArrayList<>(asked);
            ranges.addAll(asked);
            for (TryCatchBlockNode block : method.tryCatchBlocks) {
                all.add(block);
                if (ranges.contains(block)) {
                    continue;
                }
                int[] of = attempt.range(block);
                for (int i = attempt.region().nextSetBit(of[0]); i >= 0 && i < of[1]; i = attempt.region().nextSetBit(i + 1)) {
                    LabelNode[] ends = written.get(i);
                    TryCatchBlockNode range = new TryCatchBlockNode(ends[0], ends[1], block.handler, block.type);
                    ranges.add(range);
                    all.add(range);
                }
            }
            method.tryCatchBlocks = all;
        }

        /** Redirects all paths to the start of the attempt to its copy. */
        private void redirect() {
            AbstractInsnNode before = attempt.start.getPrevious();
            Map<LabelNode, LabelNode> moved = new HashMap<>();
            while (before != null && before.getOpcode() < 0) {
                if (before instanceof LabelNode) {
                    moved.put((LabelNode) before, start);
                }
                before = before.getPrevious();
            }
            for (AbstractInsnNode insn : method.instructions) {
                Rehearsals.redirect(insn, moved);
            }
            if (before == null) {
                method.instructions.insert(new JumpInsnNode(GOTO, start));
            } else if (Attempt.goesOn(before)) {
                method.instructions.insert(before, new JumpInsnNode(GOTO, start));
            }
            entry(attempt.start);
        }
    }
}
