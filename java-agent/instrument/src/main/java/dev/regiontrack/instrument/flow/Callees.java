package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Jumps.Walk;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.frames.NewLabels;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods of a class whose code can replace a call in an attempt, as they are before they get hooks: methods that cannot be overridden, are
 * small, take no lock, catch nothing, and can return without an effect.
 */
final class Callees {
    private static final int MAX_SIZE = 60;

    private final ClassNode type;
    private final Variables variables;
    /** By name and descriptor; null for a method that does not qualify. */
    private final Map<String, Callee> all = new HashMap<>();
    /** Whether methods can have attempts, as far as that was computed. */
    private final Map<MethodNode, Boolean> candidates = new IdentityHashMap<>();
    /** The methods with an instruction that {@link Purity#isAct}. */
    private final Set<MethodNode> acting = Collections.newSetFromMap(new IdentityHashMap<>());

    /** A method that qualifies. */
    static final class Callee {
        final MethodNode method;
        /** What the verifier knows before its calls and returns. */
        final Frames frames;
        /** Whether all that it does is a {@code compareAndSet}, whose result it returns. */
        final boolean isCompareAndSet;

        private Callee(MethodNode method, Frames frames, boolean isCompareAndSet) {
            this.method = method;
            this.frames = frames;
            this.isCompareAndSet = isCompareAndSet;
        }

        boolean isStatic() {
            return (method.access & Opcodes.ACC_STATIC) != 0;
        }
    }

    Callees(ClassNode type, Variables variables) {
        this.type = type;
        this.variables = variables;
        for (MethodNode method : type.methods) {
            if (acts(method)) {
                acting.add(method);
            }
        }
        for (MethodNode method : type.methods) {
            if (canHaveAttempts(method)) {
                findCalled(method);
            }
        }
    }

    /** Whether an instruction of the class, as it was, {@link Purity#isAct}: where none is, no method takes a lock, except a synchronized one. */
    boolean areActs() {
        return !acting.isEmpty();
    }

    private boolean acts(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (Purity.isAct(insn, variables)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a method of the class can have {@link Attempts}, as far as a first look shows. */
    boolean canHaveAttempts(MethodNode method) {
        Boolean known = candidates.get(method);
        if (known == null) {
            known = !method.name.startsWith("<") && (acting.contains(method) || acts(method) || canGoRound(method));
            candidates.put(method, known);
        }
        return known;
    }

    /** Where a method of the class acts, a call can be one of it. Elsewhere, a method must at least go round, whatever it calls does. */
    private boolean canGoRound(MethodNode method) {
        return Purity.mayGoRound(method, variables) && (areActs() || Purity.canGoRound(method, variables));
    }

    private void findCalled(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions) {
            if (isOwn(insn)) {
                MethodInsnNode call = (MethodInsnNode) insn;
                if (!all.containsKey(call.name + call.desc)) {
                    find(call);
                }
            }
        }
    }

    private boolean isOwn(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode && insn.getOpcode() != Opcodes.INVOKEINTERFACE && ((MethodInsnNode) insn).owner.equals(type.name);
    }

    private void find(MethodInsnNode call) {
        String name = call.name + call.desc;
        all.put(name, null);
        MethodNode method = fixed(type, call);
        Callee callee = method != null && isPlain(method) ? callee(method) : null;
        if (callee != null) {
            all.put(name, callee);
            findCalled(callee.method);
        }
    }

    /** Returns the method of the class that a call reaches, if there is one and it cannot be overridden; otherwise null. */
    static MethodNode fixed(ClassNode type, MethodInsnNode call) {
        if (!call.owner.equals(type.name) || call.getOpcode() == Opcodes.INVOKEINTERFACE) {
            return null;
        }
        for (MethodNode method : type.methods) {
            if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
                return isFixed(type, method) ? method : null;
            }
        }
        return null;
    }

    /** Whether a method of a class cannot be overridden. */
    static boolean isFixed(ClassNode type, MethodNode method) {
        boolean isFixed = (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL | Opcodes.ACC_STATIC)) != 0 || (type.access & Opcodes.ACC_FINAL) != 0;
        return isFixed && !method.name.startsWith("<");
    }

    private static boolean isPlain(MethodNode method) {
        int special = Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;
        int size = 0;
        for (AbstractInsnNode insn : method.instructions) {
            size += insn.getOpcode() >= 0 ? 1 : 0;
        }
        return (method.access & special) == 0 && method.tryCatchBlocks.isEmpty() && size > 0 && size <= MAX_SIZE;
    }

    private Callee callee(MethodNode original) {
        MethodNode method = new MethodNode(Opcodes.ASM9, original.access, original.name, original.desc, null, null);
        original.accept(method);
        new NewLabels(method);
        Jumps jumps = new Jumps(method);
        if (!jumps.areKnown) {
            return null;
        }
        boolean isCompareAndSet = isCompareAndSet(method);
        if (!isCompareAndSet && !canReturn(jumps)) {
            return null;
        }
        Set<AbstractInsnNode> wanted = new HashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (isOwn(insn) || isReturn(insn)) {
                wanted.add(insn);
            }
        }
        Frames frames = new Frames(type.name, method, wanted);
        int results = Type.getReturnType(method.desc).getSort() == Type.VOID ? 0 : 1;
        for (AbstractInsnNode insn : wanted) {
            FrameNode frame = frames.before(insn);
            // Unreachable code has no frame, and what a return leaves on the stack would stay there.
            if (frame == null || isReturn(insn) && frame.stack.size() != results) {
                return null;
            }
        }
        return new Callee(method, frames, isCompareAndSet);
    }

    /** Whether the method can return without an effect. */
    private boolean canReturn(Jumps jumps) {
        Walk walk = jumps.walk(0);
        for (int i = walk.next(); i >= 0; i = walk.next()) {
            AbstractInsnNode insn = jumps.at(i);
            if (isReturn(insn)) {
                return true;
            }
            // A call without a result rarely has no effect: a method that makes something by it stays a call.
            boolean isAsk = variables.canBeAsked(insn) && !Variables.isVoid((MethodInsnNode) insn);
            if (Purity.canBeFree(insn, variables) || isOwn(insn) || isAsk) {
                walk.goOn();
            }
        }
        return false;
    }

    private boolean isCompareAndSet(MethodNode method) {
        int calls = 0;
        for (AbstractInsnNode insn : method.instructions) {
            boolean isSimple = Purity.isComputation(insn.getOpcode()) && Jumps.targets(insn).isEmpty() || insn.getOpcode() == Opcodes.LDC || insn.getOpcode() < 0
                || Purity.isFieldRead(insn) || insn.getOpcode() == Opcodes.IRETURN;
            boolean isCall = variables.isCompareAndSet(insn);
            calls += isCall ? 1 : 0;
            if (!isSimple && !isCall) {
                return false;
            }
        }
        return calls == 1;
    }

    static boolean isReturn(AbstractInsnNode insn) {
        return insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() <= Opcodes.RETURN;
    }

    /** Returns the callee of an instruction; null if it calls none of these methods. */
    Callee of(AbstractInsnNode insn) {
        return all.isEmpty() || !isOwn(insn) ? null : all.get(((MethodInsnNode) insn).name + ((MethodInsnNode) insn).desc);
    }
}
