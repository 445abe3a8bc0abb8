package dev.regiontrack.instrument.flow;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The steps of iterators that a method has made itself and gives to no one, like those of {@code for (String s : list)}. A step changes the iterator,
 * which is then invisible to others; with an iterator from a field or an argument, another thread's next step shows it.
 */
final class OwnIterators {
    private static final Set<String> TYPES = Set.of("java/util/Iterator", "java/util/ListIterator", "java/util/Enumeration");
    private static final Set<String> STEPS = Set.of("next", "previous", "nextElement");
    /** Methods of collections that return a new one each time. */
    private static final Set<String> MAKERS = Set.of("iterator", "listIterator", "descendingIterator", "elements", "keys");

    private final MethodNode method;
    private final Frame<SourceValue>[] frames;

    private OwnIterators(MethodNode method, Frame<SourceValue>[] frames) {
        this.method = method;
        this.frames = frames;
    }

    /** Finds the steps of a method, which must not have been changed. */
    static Set<AbstractInsnNode> steps(ClassNode type, MethodNode method) {
        Set<AbstractInsnNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (AbstractInsnNode insn : method.instructions) {
            if (isStep(insn)) {
                found.add(insn);
            }
        }
        if (found.isEmpty()) {
            return found;
        }
        try {
            OwnIterators all = new OwnIterators(method, new Analyzer<>(new SourceInterpreter()).analyze(type.name, method));
            Set<AbstractInsnNode> given = all.given();
            Set<AbstractInsnNode> own = Collections.newSetFromMap(new IdentityHashMap<>());
            for (AbstractInsnNode step : found) {
                if (all.isOfOwn(step, given)) {
                    own.add(step);
                }
            }
            return own;
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it.
            return Set.of();
        }
    }

    /** Whether this is a step of an iterator. */
    static boolean isStep(AbstractInsnNode insn) {
        boolean isCall = insn.getOpcode() == Opcodes.INVOKEINTERFACE;
        return isCall && TYPES.contains(((MethodInsnNode) insn).owner) && STEPS.contains(((MethodInsnNode) insn).name);
    }

    private boolean isOfOwn(AbstractInsnNode step, Set<AbstractInsnNode> given) {
        Frame<SourceValue> frame = frames[method.instructions.indexOf(step)];
        Set<AbstractInsnNode> sources = frame == null ? Set.of() : sources(frame.getStack(frame.getStackSize() - 1));
        for (AbstractInsnNode source : sources) {
            if (!isMaker(source) || given.contains(source)) {
                return false;
            }
        }
        return !sources.isEmpty();
    }

    private static boolean isMaker(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode) || insn.getOpcode() == Opcodes.INVOKESTATIC) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return Harmless.isKnown(call) && MAKERS.contains(call.name);
    }

    /** Returns the producers of values that are given away: by a field, an element, an argument or a result. */
    private Set<AbstractInsnNode> given() {
        Set<AbstractInsnNode> given = new HashSet<>();
        for (int i = 0; i < frames.length; i++) {
            AbstractInsnNode insn = method.instructions.get(i);
            int op = insn.getOpcode();
            int values = 0;
            if (op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC || op == Opcodes.AASTORE || op == Opcodes.ARETURN) {
                values = 1;
            } else if (op >= Opcodes.INVOKEVIRTUAL && op <= Opcodes.INVOKEINTERFACE) {
                values = Type.getArgumentTypes(((MethodInsnNode) insn).desc).length;
            } else if (op == Opcodes.INVOKEDYNAMIC) {
                values = Type.getArgumentTypes(((InvokeDynamicInsnNode) insn).desc).length;
            }
            for (int k = 1; k <= values && frames[i] != null; k++) {
                given.addAll(sources(frames[i].getStack(frames[i].getStackSize() - k)));
            }
        }
        return given;
    }

    /** Returns the instructions that made a value, behind those that only pass it on; a load of a parameter stands for the parameter. */
    private Set<AbstractInsnNode> sources(SourceValue value) {
        Set<AbstractInsnNode> sources = new HashSet<>();
        add(value, sources, new HashSet<>());
        return sources;
    }

    private void add(SourceValue value, Set<AbstractInsnNode> sources, Set<AbstractInsnNode> seen) {
        for (AbstractInsnNode insn : value.insns) {
            if (!seen.add(insn)) {
                continue;
            }
            Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
            int op = insn.getOpcode();
            boolean isLoad = op == Opcodes.ALOAD;
            boolean isCopy = op == Opcodes.ASTORE || op == Opcodes.CHECKCAST || op >= Opcodes.DUP && op <= Opcodes.DUP2_X2;
            if (frame == null || !isLoad && !isCopy) {
                sources.add(insn);
                continue;
            }
            SourceValue from = isLoad ? frame.getLocal(((VarInsnNode) insn).var) : frame.getStack(frame.getStackSize() - 1);
            if (from.insns.isEmpty()) {
                sources.add(insn);
            }
            add(from, sources, seen);
        }
    }
}
