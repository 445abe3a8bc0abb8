package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.selection.ArrayMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Copies of methods for the calls that lend them arrays. In the copy, accesses to these parameters have no hooks, so nothing has to find out
 * at run time whether the array is lent, and the JIT compiler can optimise the array away as it can without the agent.
 *
 * <p>The copy has the method's name, lines and locals, so stack traces and messages stay the same, and one more parameter, the thread's state,
 * whose type no method of the program has. It is private, so that the recognition of a serialized object's class ignores it, and reflection
 * does not show it ({@link dev.regiontrack.instrument.platform.ReflectionTransformer}).
 */
public final class Borrowers {
    /** The most words of parameters that a method can have, including {@code this}. */
    private static final int MOST_WORDS = 255;
    /** The most jumps that are followed to what takes a result. */
    private static final int MOST_JUMPS = 4;
    /** A method handle takes a few words fewer. */
    private static final int MOST_PASSED = 250;
    /** The number of locals for which the JVM remembers, for its messages, whether they have been written. */
    private static final int REMEMBERED = 64;

    private final ClassNode type;
    private final Passing passing;
    private final Set<String> left;
    private final Set<String> defined;
    private final boolean isHidden;
    private final Map<MethodNode, Copy> copies = new LinkedHashMap<>();

    /**
     * For a class that is not loaded yet, {@code defined} is null. A loaded one cannot get or lose methods: it has these copies. The methods
     * in {@code left} are too large. {@code isHidden} if reflection does not show copies: frameworks decide by the number of a class's
     * constructors which one to call.
     */
    public Borrowers(ClassNode type, Passing passing, Set<String> left, Set<String> defined, boolean isHidden) {
        this.isHidden = isHidden;
        this.type = type;
        this.passing = passing;
        this.left = left;
        this.defined = defined;
    }

    /** A copy, which gets its own descriptor when it has its hooks. */
    public static final class Copy {
        public final MethodNode original;
        public final MethodNode method;
        /** The parameters that are lent; null if the original, as it is now, may not be lent any. */
        final boolean[] lent;
        public Temporaries temporaries;

        private Copy(MethodNode original, boolean[] lent) {
            this.original = original;
            this.lent = lent;
            method = new MethodNode(Opcodes.ASM9, original.access, original.name, original.desc, null, null);
            original.accept(method);
            method.visibleAnnotations = null;
            method.invisibleAnnotations = null;
            method.visibleTypeAnnotations = null;
            method.invisibleTypeAnnotations = null;
            method.visibleParameterAnnotations = null;
            method.invisibleParameterAnnotations = null;
            method.parameters = null;
        }

        /** Completes the copy as a separate method. */
        public MethodNode complete() {
            method.access = original.access & ~(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_VARARGS | Opcodes.ACC_FINAL)
                | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
            method.desc = desc(original.desc);
            return method;
        }
    }

    /** Returns the descriptor of a method's copy. */
    public static String desc(String desc) {
        return desc.replace(")", RuntimeNames.STATE_TYPE + ")");
    }

    /** Whether this is the descriptor of a copy. */
    public static boolean isCopy(String desc) {
        return desc.contains(RuntimeNames.STATE_TYPE + ")");
    }

    /** Returns the local of the last parameter of a method's copy: the first after the method's own parameters. */
    public static int given(MethodNode method) {
        int words = Type.getArgumentsAndReturnSizes(method.desc) >> 2;
        return (method.access & Opcodes.ACC_STATIC) != 0 ? words - 1 : words;
    }

    /** Whether a call that lends these parameters, and no others, goes to the method's copy, which then exists. */
    boolean take(MethodInsnNode call, boolean[] lent) {
        MethodNode method = passing.own(call);
        return method != null && !isNamed(call, returnsStrings(method)) && take(method, lent);
    }

    /**
     * Copies the method for calls from other classes, and for those that select it by the receiver, if it takes a variable number of arguments and
     * its array is the only one that can be lent. Such calls usually pass new arrays; others rarely do.
     */
    boolean offer(MethodNode method) {
        int last = Type.getArgumentTypes(method.desc).length - 1;
        if ((method.access & Opcodes.ACC_VARARGS) == 0 || method.instructions.size() == 0) {
            return false;
        }
        boolean[] lent = new boolean[last + 1];
        lent[last] = true;
        return take(method, lent);
    }

    private boolean take(MethodNode method, boolean[] lent) {
        if (method.name.equals("<init>") && !isHidden || !Arrays.equals(passing.borrowed(method), lent)) {
            return false;
        }
        String name = method.name + method.desc;
        boolean canBe = defined == null ? given(method) < Math.min(MOST_WORDS, REMEMBERED) : defined.contains(name);
        if (!canBe || left.contains(name) || left.contains(method.name + desc(method.desc))) {
            return false;
        }
        if (!copies.containsKey(method)) {
            copies.put(method, new Copy(method, lent));
        }
        return true;
    }

    /** Whether a call of a method in another class, or one that the receiver selects, can go to a copy without changing a message of the JVM. */
    public static boolean canBeCopied(MethodInsnNode call) {
        Type result = Type.getReturnType(call.desc);
        boolean isKnown = result.getSort() != Type.ARRAY && (result.getSort() != Type.OBJECT || result.getInternalName().startsWith("java/"));
        return isKnown && Type.getArgumentsAndReturnSizes(call.desc) >> 2 < MOST_PASSED && !isNamed(call, false);
    }

    /** Returns all copies, once every method was analysed. Methods that are analysed on the way can need others. */
    public List<Copy> complete(ArrayMode mode, Accesses variables) {
        for (MethodNode method : type.methods) {
            if (defined != null && defined.contains(method.name + method.desc) && !copies.containsKey(method)) {
                copies.put(method, new Copy(method, null));
            }
        }
        List<Copy> result = new ArrayList<>(copies.values());
        for (int i = 0; i < result.size(); i++) {
            result.get(i).temporaries = Temporaries.ofCopy(type, result.get(i), mode, variables, passing, this);
            result = new ArrayList<>(copies.values());
        }
        return result;
    }

    /**
     * Whether a message of the JVM about a null pointer could name the call, with its parameter types: as what has returned the null,
     * or as the index of the element that is null. {@code isString} if it returns strings, and never null.
     */
    private static boolean isNamed(MethodInsnNode call, boolean isString) {
        AbstractInsnNode next = following(call);
        int op = next.getOpcode();
        switch (Type.getReturnType(call.desc).getSort()) {
            case Type.VOID: case Type.LONG: case Type.FLOAT: case Type.DOUBLE:
                return false;
            case Type.OBJECT:
                return !isConsumed(next) && !isString;
            case Type.ARRAY:
                return !isConsumed(next);
            default:
                return op == Opcodes.AALOAD || op >= Opcodes.DUP && op <= Opcodes.SWAP || op == Opcodes.GOTO;
        }
    }

    /** Whether the instruction takes a reference from the stack and does not fail if that is null, or pushes another one to compare it with. */
    private static boolean isConsumed(AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case Opcodes.ALOAD: case Opcodes.LDC: {
                int op = following(insn).getOpcode();
                return op == Opcodes.IF_ACMPEQ || op == Opcodes.IF_ACMPNE;
            }
            case Opcodes.ASTORE: case Opcodes.POP: case Opcodes.ARETURN: case Opcodes.IFNULL: case Opcodes.IFNONNULL: case Opcodes.IF_ACMPEQ:
            case Opcodes.IF_ACMPNE: case Opcodes.PUTFIELD: case Opcodes.PUTSTATIC: case Opcodes.AASTORE: case Opcodes.INSTANCEOF:
                return true;
            case Opcodes.INVOKEVIRTUAL: case Opcodes.INVOKEINTERFACE: case Opcodes.INVOKESPECIAL: case Opcodes.INVOKESTATIC:
                return !((MethodInsnNode) insn).desc.startsWith("()");
            case Opcodes.INVOKEDYNAMIC:
                return !((InvokeDynamicInsnNode) insn).desc.startsWith("()");
            default:
                return false;
        }
    }

    /** Returns the next instruction that does more than check a type or jump. */
    private static AbstractInsnNode following(AbstractInsnNode insn) {
        AbstractInsnNode next = insn.getNext();
        for (int jumps = 0; next.getOpcode() < 0 || next.getOpcode() == Opcodes.CHECKCAST || next.getOpcode() == Opcodes.GOTO && jumps < MOST_JUMPS;) {
            if (next.getOpcode() == Opcodes.GOTO) {
                next = ((JumpInsnNode) next).label;
                jumps++;
            }
            next = next.getNext();
        }
        return next;
    }

    /** Whether the method returns only strings that are certainly not null: constants, and the results of some methods. */
    private boolean returnsStrings(MethodNode method) {
        if (Type.getReturnType(method.desc).getSort() != Type.OBJECT) {
            return false;
        }
        MethodShape shape = new MethodShape(type.name, method);
        for (AbstractInsnNode insn : method.instructions) {
            if (insn.getOpcode() == Opcodes.ARETURN) {
                AbstractInsnNode before = insn.getPrevious();
                while (before instanceof LineNumberNode || before instanceof LabelNode && !shape.isTarget((LabelNode) before)) {
                    before = before.getPrevious();
                }
                if (!isString(before)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isString(AbstractInsnNode insn) {
        if (insn instanceof MethodInsnNode) {
            MethodInsnNode call = (MethodInsnNode) insn;
            boolean isOfStrings = call.owner.equals("java/lang/String") || call.owner.equals("java/lang/StringBuilder");
            return isOfStrings && call.desc.endsWith(")Ljava/lang/String;");
        }
        if (insn instanceof InvokeDynamicInsnNode) {
            return ((InvokeDynamicInsnNode) insn).bsm.getOwner().equals("java/lang/invoke/StringConcatFactory");
        }
        return insn != null && insn.getOpcode() == Opcodes.LDC;
    }
}
