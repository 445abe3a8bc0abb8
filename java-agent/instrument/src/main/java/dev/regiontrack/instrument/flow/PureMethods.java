package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds which methods of a class do nothing, on any path, but read and compute, so that a call can be repeated without a difference. Callers in other
 * classes find this out at run time ({@link ClassInfo#does}), because only then is it known which method a call reaches. Such a method can throw, if
 * it finds null or an index is wrong.
 */
public final class PureMethods {
    private static final int MAX_SIZE = 40;
    private static final int MAX_DEPTH = 3;
    private static final int EXCLUDED = Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;

    private final ClassNode type;
    private final Accesses accesses;
    private final Map<MethodNode, Integer> known = new IdentityHashMap<>();

    /** Whether the class is loaded by a loader of the platform, so that loading another class runs nothing of the program. */
    private final boolean loadsQuietly;
    /** Whether every call of the class's methods reaches the hooks that they get. */
    private final boolean hasHooks;
    private final Questions questions = new Questions();
    /** The constructor whose writes were looked at last, whether it {@link #hasNoOther}, and what is known of its values if that was needed. */
    private MethodNode analysed;
    private boolean hasNoOther;
    private Frame<SharedValue>[] frames;

    /**
     * Must be made before the class has hooks. {@code loadsQuietly} if its loader is one of the platform; {@code hasHooks} if no call of its methods
     * can miss the hooks of {@link #questions}.
     */
    public PureMethods(ClassNode type, Accesses accesses, boolean loadsQuietly, boolean hasHooks) {
        this.type = type;
        this.accesses = accesses;
        this.loadsQuietly = loadsQuietly;
        this.hasHooks = hasHooks;
    }

    /** Returns where the methods need hooks, once {@link #all} has analysed them. */
    public Questions questions() {
        return questions;
    }

    /** Returns, for {@link ClassInfo}, what all methods do that callers in other classes may ask for. */
    public long[] all() {
        List<Long> result = new ArrayList<>();
        for (MethodNode method : type.methods) {
            boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
            if (method.name.equals("<clinit>")) {
                continue;
            }
            if (isConstructor(method)) {
                int makes = does(method, MAX_DEPTH);
                if (makes != ClassInfo.LEAVES) {
                    result.add(ClassInfo.pure(true, method.name, method.desc, makes));
                }
                continue;
            }
            // A private method overrides nothing, so a call that finds it by a receiver's class may be one of another
            // method.
            boolean isHidden = (method.access & Opcodes.ACC_PRIVATE) != 0 && !isStatic;
            int does = isHidden ? ClassInfo.HIDDEN : does(method, MAX_DEPTH);
            does = does == ClassInfo.LEAVES && hasHooks && tries(method) ? ClassInfo.LEAVES | ClassInfo.TRIES : does;
            // A static method without a known result can be left out: calls name its class.
            if (!isStatic || does != ClassInfo.LEAVES) {
                boolean isEverywhere = isStatic || isHidden || (method.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
                result.add(ClassInfo.pure(isStatic, method.name, method.desc, isEverywhere ? does : does | ClassInfo.IN_PACKAGE));
            }
        }
        // Not by a stream, which the JVM would compile for this alone.
        long[] sorted = new long[result.size()];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = result.get(i);
        }
        Arrays.sort(sorted);
        return sorted;
    }

    /**
     * Returns {@link ClassInfo#IGNORES} if the method only computes, {@link ClassInfo#TOUCHES} if it also reads what can change, otherwise
     * {@link ClassInfo#LEAVES}.
     */
    private int does(MethodNode method, int depth) {
        Integer found = known.get(method);
        if (found == null) {
            // A method that calls itself does not qualify.
            known.put(method, ClassInfo.LEAVES);
            found = find(method, depth);
            known.put(method, found);
        }
        return found;
    }

    /**
     * Whether the method only reads, and tries a {@code compareAndSet}. A read of another class's static field can run its initializer, which is no
     * part of what its reader does.
     */
    private boolean tries(MethodNode method) {
        boolean isPlain = (method.access & EXCLUDED) == 0 && method.tryCatchBlocks.isEmpty() && method.desc.endsWith(")Z");
        boolean tries = false;
        int size = 0;
        for (AbstractInsnNode insn = isPlain ? method.instructions.getFirst() : null; insn != null; insn = insn.getNext()) {
            boolean isOne = accesses.variables().isCompareAndSet(insn) || accesses.variables().isCompareAndSetOfUnsafe(insn);
            tries |= isOne;
            boolean isFree = isOne || insn.getOpcode() < 0 || Purity.isFieldRead(insn) || insn.getOpcode() == Opcodes.CHECKCAST;
            size += insn.getOpcode() < 0 ? 0 : 1;
            if (size > MAX_SIZE || !isFree && does(insn, method, MAX_DEPTH) == ClassInfo.LEAVES) {
                return false;
            }
        }
        return tries;
    }

    private static boolean isConstructor(MethodNode method) {
        return method.name.equals("<init>");
    }

    private int find(MethodNode method, int depth) {
        boolean isPlain = (method.access & EXCLUDED) == 0 && method.tryCatchBlocks.isEmpty() && method.instructions.size() > 0;
        if (!isPlain || depth == 0) {
            return ClassInfo.LEAVES;
        }
        int does = ClassInfo.IGNORES;
        int size = 0;
        Questions own = new Questions();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (insn.getOpcode() < 0) {
                continue;
            }
            int one = ++size > MAX_SIZE ? ClassInfo.LEAVES : does(insn, method, depth);
            if (one == ClassInfo.LEAVES && size <= MAX_SIZE && hasHooks && !isConstructor(method)) {
                boolean isAsked = !own.addEnd(insn) && (own.addField(insn) || own.addCall(insn, accesses.variables()));
                one = isAsked ? ClassInfo.TOUCHES : own.isEnd(insn) ? ClassInfo.IGNORES : one;
            }
            if (one == ClassInfo.LEAVES) {
                return one;
            }
            does = Math.min(does, one);
        }
        questions.add(own);
        return does;
    }

    private int does(AbstractInsnNode insn, MethodNode in, int depth) {
        int op = insn.getOpcode();
        if (op == Opcodes.PUTFIELD) {
            return isConstructor(in) && ((FieldInsnNode) insn).owner.equals(type.name) && writesOwn(in, insn) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
        }
        if (op == Opcodes.NEW) {
            // The first use of another class runs its initializer.
            String made = ((TypeInsnNode) insn).desc;
            return isLoaded(made) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
        }
        if (op == Opcodes.CHECKCAST || op == Opcodes.INSTANCEOF) {
            return loadsQuietly || isLoaded(((TypeInsnNode) insn).desc) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
        }
        if (op == Opcodes.GETFIELD || op == Opcodes.GETSTATIC) {
            FieldInsnNode field = (FieldInsnNode) insn;
            // A read of another class's static field can be the first use of the class, which runs its initializer.
            boolean canInitialize = op == Opcodes.GETSTATIC && !field.owner.equals(type.name);
            boolean isConstant = accesses.isConstant(field) || Coverage.isAccess(insn);
            return canInitialize ? ClassInfo.LEAVES : isConstant ? ClassInfo.IGNORES : ClassInfo.TOUCHES;
        }
        if (insn instanceof MethodInsnNode) {
            return does((MethodInsnNode) insn, in, depth);
        }
        if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) {
            return ClassInfo.TOUCHES;
        }
        boolean isLocal = insn instanceof VarInsnNode && op != Opcodes.RET || op == Opcodes.IINC;
        boolean isConstant = op == Opcodes.LDC && !(((LdcInsnNode) insn).cst instanceof Type) && (((LdcInsnNode) insn).cst instanceof Number || ((LdcInsnNode) insn).cst instanceof String);
        boolean canThrow = Purity.isDivision(op) || op == Opcodes.ARRAYLENGTH || op == Opcodes.ATHROW;
        boolean isFree = Purity.isComputation(op) || isLocal || isConstant || canThrow || Callees.isReturn(insn);
        return isFree && (!Jumps.leadsBack(insn, in) || Questions.counts(insn, in)) ? ClassInfo.IGNORES : ClassInfo.LEAVES;
    }

    private boolean isLoaded(String other) {
        return other.equals(type.name) || other.startsWith("java/lang/");
    }

    /** Whether a constructor writes a field of its own object at this instruction, and not of another one that it may know. */
    private boolean writesOwn(MethodNode constructor, AbstractInsnNode insn) {
        if (analysed != constructor) {
            analysed = constructor;
            hasNoOther = hasNoOther(constructor);
            frames = null;
        }
        if (hasNoOther || showsOwn(constructor, insn)) {
            return true;
        }
        frames = frames == null ? frames(constructor) : frames;
        Frame<SharedValue> frame = frames.length == 0 ? null : frames[constructor.instructions.indexOf(insn)];
        return frame != null && Variables.THIS.equals(frame.getStack(frame.getStackSize() - 2).name);
    }

    @SuppressWarnings("unchecked")
    private Frame<SharedValue>[] frames(MethodNode constructor) {
        try {
            return new Analyzer<>(new SharedValues(accesses, Map.of(), List.of())).analyze(type.name, constructor);
        } catch (AnalyzerException e) {
            // The verifier will reject the code, or does not check it.
            return (Frame<SharedValue>[]) new Frame<?>[0];
        }
    }

    /**
     * Whether no analysis is needed to see that a constructor writes a field of its own object: all instructions up to this one follow each other,
     * and its operands are {@code this} and a constant, a local, or a field of the object in a local.
     */
    private static boolean showsOwn(MethodNode constructor, AbstractInsnNode write) {
        for (AbstractInsnNode insn = constructor.instructions.getFirst(); insn != write; insn = insn.getNext()) {
            int op = insn.getOpcode();
            boolean leaves = op >= Opcodes.IFEQ && op <= Opcodes.RETURN || op == Opcodes.ATHROW || op == Opcodes.IFNULL || op == Opcodes.IFNONNULL;
            if (leaves || Purity.isStore(insn) && ((VarInsnNode) insn).var == 0) {
                return false;
            }
        }
        AbstractInsnNode value = before(write);
        value = value != null && value.getOpcode() == Opcodes.GETFIELD ? before(value) : value;
        boolean isOne = value != null && value.getOpcode() >= Opcodes.ACONST_NULL && value.getOpcode() <= Opcodes.ALOAD;
        AbstractInsnNode object = isOne ? before(value) : null;
        return object != null && object.getOpcode() == Opcodes.ALOAD && ((VarInsnNode) object).var == 0;
    }

    private static AbstractInsnNode before(AbstractInsnNode insn) {
        AbstractInsnNode before = insn.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return before;
    }

    /** Whether a constructor can know no object of the class except its own, so that each field that it writes is that one's. */
    private boolean hasNoOther(MethodNode constructor) {
        String one = 'L' + type.name + ';';
        for (AbstractInsnNode insn = constructor.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            boolean isField = insn instanceof FieldInsnNode && ((FieldInsnNode) insn).desc.equals(one) && Purity.isFieldRead(insn);
            boolean isResult = insn instanceof MethodInsnNode && ((MethodInsnNode) insn).desc.endsWith(one);
            if (isField || isResult || insn instanceof TypeInsnNode && ((TypeInsnNode) insn).desc.equals(type.name)) {
                return false;
            }
        }
        return !constructor.desc.contains(one);
    }

    private int does(MethodInsnNode call, MethodNode in, int depth) {
        boolean isRoot = Frames.isConstruction(call) && (call.owner.equals("java/lang/Object") || call.owner.equals("java/lang/Record"));
        if (isRoot || Purity.isFree(call) || call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull") && !call.desc.contains("Supplier")) {
            return ClassInfo.IGNORES;
        }
        boolean isException = Frames.isConstruction(call) && (call.owner.endsWith("Exception") || call.owner.endsWith("Error"));
        if (isException && Harmless.isKnown(call)) {
            return ClassInfo.IGNORES;
        }
        // A constructor is only asked what it does, but never called ahead, so its callees can have hooks.
        if (isConstructor(in) && Harmless.isKnown(call)) {
            return ClassInfo.IGNORES;
        }
        if (accesses.variables().isRead(call)) {
            return ClassInfo.TOUCHES;
        }
        MethodNode method = Frames.isConstruction(call) ? constructor(call) : Callees.fixed(type, call);
        return method == null ? ClassInfo.LEAVES : does(method, depth - 1);
    }

    private MethodNode constructor(MethodInsnNode call) {
        for (MethodNode method : type.methods) {
            if (call.owner.equals(type.name) && isConstructor(method) && method.desc.equals(call.desc)) {
                return method;
            }
        }
        return null;
    }
}
