package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.flow.Round;
import dev.regiontrack.instrument.frames.Frames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks of rounds: a round begins where it starts, is withdrawn where it leads back there, and is settled where what was read has consequences. If an
 * instruction of a round throws, a handler settles it, and throws the same exception again, under the same handlers of the method. These hooks come
 * before all others of the same instruction.
 *
 * <p>If there is a copy of the same code without hooks ({@link Rehearsals}), it runs first, and the round begins where the copy leads to the
 * original: at its start, or farther on.
 */
final class RoundHooks implements Concern {
    private final MethodCode code;
    private final MethodNode method;
    private final List<Round> rounds;
    private final Map<AbstractInsnNode, Round> starts = new HashMap<>();
    private final Set<AbstractInsnNode> exits = new HashSet<>();
    private final Set<AbstractInsnNode> asks = new HashSet<>();
    private final Map<AbstractInsnNode, FrameNode> throwing = new HashMap<>();
    /** The method's handlers around the instructions that can throw, in order. */
    private final Map<AbstractInsnNode, List<TryCatchBlockNode>> around = new HashMap<>();
    /** By the locals that are known, and the method's handlers: the handler that settles a round. */
    private final Map<List<Object>, LabelNode> handlers = new HashMap<>();
    /** The ranges of the method's handlers in these. */
    private final List<TryCatchBlockNode> passing = new ArrayList<>();
    private final InsnList detours = new InsnList();

    /** The method has no hooks yet, and no copies. */
    RoundHooks(MethodCode code, List<Round> rounds) {
        this.code = code;
        method = code.method;
        this.rounds = rounds;
        for (Round round : rounds) {
            starts.put(round.start, round);
            exits.addAll(round.exits());
            asks.addAll(round.asks());
            throwing.putAll(round.throwing());
        }
        for (AbstractInsnNode insn : throwing.keySet()) {
            around.put(insn, around(insn));
        }
    }

    private List<TryCatchBlockNode> around(AbstractInsnNode insn) {
        List<TryCatchBlockNode> result = new ArrayList<>();
        int at = code.instructions.indexOf(insn);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if (code.instructions.indexOf(block.start) <= at && at < code.instructions.indexOf(block.end)) {
                result.add(block);
            }
        }
        return result;
    }

    /**
     * Returns the code with which a copy of an attempt leads on: if that is into a round that has not begun where the attempt starts, the round begins there.
     * What the copy has read is not part of it.
     */
    InsnList onTheWay(AbstractInsnNode start, AbstractInsnNode to) {
        for (Round round : rounds) {
            boolean hasBegun = round.start != start && round.insns().contains(start);
            if (round.start != to && round.insns().contains(to) && !hasBegun) {
                return hook("begin");
            }
        }
        return new InsnList();
    }

    /** Redirects the paths on which rounds lead back to their start. The method leads to its copies, but has no other hooks yet. */
    void lead(Rehearsals rehearsals) {
        for (Round round : rounds) {
            LabelNode again = new LabelNode();
            LabelNode copy = rehearsals.copyOf(round.start);
            LabelNode start = copy != null ? copy : begin(round);
            Map<LabelNode, LabelNode> moved = new HashMap<>();
            moved.put(start, again);
            for (AbstractInsnNode before = round.start.getPrevious(); before != null && before.getOpcode() < 0; before = before.getPrevious()) {
                if (before instanceof LabelNode) {
                    moved.put((LabelNode) before, again);
                }
            }
            for (AbstractInsnNode insn : round.insns()) {
                Rehearsals.redirect(insn, moved);
            }
            for (AbstractInsnNode insn : round.falling()) {
                if (copy != null) {
                    ((JumpInsnNode) insn.getNext()).label = again;
                } else {
                    code.after(insn, list(new JumpInsnNode(GOTO, again)));
                }
            }
            detours.add(list(again, Frames.copy(round.frame())));
            detours.add(hook("again"));                                                      // -
            detours.add(new JumpInsnNode(GOTO, start));
        }
        List<AbstractInsnNode> led = new ArrayList<>();
        for (AbstractInsnNode exit : exits) {
            if (rehearsals.copyOf(exit) != null) {
                // All paths lead to the copy, which has no hooks and can go on elsewhere.
                rehearsals.atCopyOf(exit, hook("used"));
                led.add(exit);
            }
        }
        exits.removeAll(led);
    }

    /** Returns a label before the start of a round that has no copy. */
    private LabelNode begin(Round round) {
        LabelNode result = new LabelNode();
        code.before(round.start, Frames.isAfterFrame(round.start) ? list(result) : list(result, Frames.copy(round.frame())));
        return result;
    }

    @Override
    public boolean concernsOthers() {
        return !rounds.isEmpty();
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (exits.contains(insn)) {
            // A label right before a new names its object in frames.
            code.before(insn.getOpcode() == NEW ? insn.getPrevious() : insn, hook("used"));
        }
        if (starts.containsKey(insn)) {
            code.before(insn, hook("begin"));
        }
        if (throwing.containsKey(insn)) {
            cover(insn);
        }
        if (asks.contains(insn)) {
            call((MethodInsnNode) insn);
        }
    }

    private InsnList hook(String name) {
        return list(code.loadState(), new MethodInsnNode(INVOKESTATIC, RuntimeNames.ROUNDS, name, "(" + MethodCode.T + ")V", false));
    }

    /** Makes the handler cover an instruction with its hooks. The hooks of a field look at how its object was loaded, right before. */
    private void cover(AbstractInsnNode insn) {
        AbstractInsnNode load = insn.getPrevious();
        boolean isLoaded = load != null && (load.getOpcode() == ALOAD || load.getOpcode() == DUP);
        LabelNode begin = new LabelNode();
        LabelNode end = new LabelNode();
        code.before(isLoaded ? load : insn, list(begin));
        code.after(insn, list(end));
        method.tryCatchBlocks.add(0, new TryCatchBlockNode(begin, end, handler(throwing.get(insn), around.get(insn)), null));
    }

    private LabelNode handler(FrameNode frame, List<TryCatchBlockNode> blocks) {
        List<Object> key = List.of(frame.local, blocks);
        LabelNode known = handlers.get(key);
        if (known != null) {
            return known;
        }
        LabelNode handler = new LabelNode();
        LabelNode end = new LabelNode();
        handlers.put(key, handler);
        detours.add(list(handler, Frames.alone(frame, "java/lang/Throwable")));              // e
        detours.add(hook("used"));                                                           // e
        detours.add(list(new InsnNode(ATHROW), end));                                        // -
        for (TryCatchBlockNode block : blocks) {
            passing.add(new TryCatchBlockNode(handler, end, block.handler, block.type));
        }
        return handler;
    }

    /** Adds the hook before a call of a method that may do nothing but read, with the receiver if there is one. */
    private void call(MethodInsnNode call) {
        boolean isStatic = call.getOpcode() == INVOKESTATIC;
        InsnList before = new InsnList();
        List<AbstractInsnNode> loads = new ArrayList<>();
        if (!isStatic) {
            Type[] types = Type.getArgumentTypes(call.desc);
            int words = (Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1;
            int local = words == 0 ? 0 : code.scratch(words) + words;
            for (int i = types.length - 1; i >= 0; i--) {
                local -= types[i].getSize();
                before.add(new VarInsnNode(types[i].getOpcode(ISTORE), local));              // .. r
                loads.add(0, new VarInsnNode(types[i].getOpcode(ILOAD), local));
            }
            before.add(new InsnNode(DUP));                                                   // .. r r
        }
        before.add(list(code.loadState(), code.sites.push(code.instructions, code.sites.asking(call))));
        String desc = (isStatic ? "(" : "(" + OBJECT) + MethodCode.T + "I)V";
        before.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.ROUNDS, "call", desc, false));   // .. r
        for (AbstractInsnNode load : loads) {
            before.add(load);                                                                // .. r ..
        }
        code.before(call, before);
    }

    /**
     * Adds the handlers, and what is on the way back to the starts: once the method's own instructions have their hooks, and before it has handlers for
     * its end.
     */
    void add() {
        method.instructions.add(detours);
        method.tryCatchBlocks.addAll(passing);
    }
}
