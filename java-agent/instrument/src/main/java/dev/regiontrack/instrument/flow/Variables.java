package dev.regiontrack.instrument.flow;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Finds which instructions of a method access the same variable: a field, an atomic object of the platform, an element of an array of atomics, or the
 * field to which a {@code VarHandle} or a field updater of the class gives access.
 */
final class Variables {
    /** The name of the object whose method it is. */
    static final String THIS = "this";
    private static final String ATOMIC = "java/util/concurrent/atomic/Atomic";
    private static final String HANDLE = "java/lang/invoke/VarHandle";
    private static final String UNSAFE = "sun/misc/Unsafe";
    /** The reading methods of atomic objects, which cannot be overridden. */
    private static final Set<String> GETTERS = Set.of("get", "getPlain", "getOpaque", "getAcquire", "getVolatile");
    /** The declared types of maps that may be of the known class ({@code runtime.models.Looks}). */
    private static final Set<String> MAPS = Set.of("java/util/Map", "java/util/concurrent/ConcurrentMap", "java/util/concurrent/ConcurrentHashMap");
    private static final Set<String> LOOKS = Set.of("get(Ljava/lang/Object;)Ljava/lang/Object;", "containsKey(Ljava/lang/Object;)Z");
    private static final Set<String> ACTS = Set.of("putIfAbsent", "computeIfAbsent");
    private static final Set<String> MAKERS = Set.of("findVarHandle", "findStaticVarHandle", "newUpdater");

    private final ClassNode type;
    /** The fields to which the class's handles and updaters give access, by the names of the static fields that hold these. */
    private Map<String, String> targets;

    Variables(ClassNode type) {
        this.type = type;
    }

    private String target(String handle) {
        if (targets == null) {
            targets = new HashMap<>();
            for (MethodNode method : type.methods) {
                if (method.name.equals("<clinit>")) {
                    findTargets(method);
                }
            }
        }
        return targets.get(handle);
    }

    private void findTargets(MethodNode initializer) {
        String name = null;
        boolean isOwn = false;
        String target = null;
        for (AbstractInsnNode insn : initializer.instructions) {
            Object constant = insn instanceof LdcInsnNode ? ((LdcInsnNode) insn).cst : null;
            if (constant instanceof String) {
                name = (String) constant;
            } else if (constant instanceof Type && target == null && name == null) {
                isOwn = ((Type) constant).getInternalName().equals(type.name);
            } else if (insn instanceof MethodInsnNode && MAKERS.contains(((MethodInsnNode) insn).name)) {
                target = isOwn ? name : null;
            } else if (insn.getOpcode() == Opcodes.PUTSTATIC) {
                if (target != null) {
                    targets.put(((FieldInsnNode) insn).name, target);
                }
                name = null;
                isOwn = false;
                target = null;
            }
        }
    }

    /** Whether this is a call that only reads a variable: of an atomic object, of a handle or by an offset. */
    boolean isRead(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode) || insn.getOpcode() != Opcodes.INVOKEVIRTUAL) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return isReadOfAtomic(call) || isReadOfOwn(call) || isReadOfUnsafe(call);
    }

    /** The same for a read of the object itself, where a class of the program extends that of an atomic object. */
    private boolean isReadOfOwn(MethodInsnNode call) {
        return call.owner.equals(type.name) && isAtomic(type.superName) && !type.superName.endsWith("FieldUpdater") && GETTERS.contains(call.name)
            && !has(call.name, call.desc);
    }

    private boolean has(String name, String desc) {
        for (MethodNode method : type.methods) {
            if (method.name.equals(name) && method.desc.equals(desc)) {
                return true;
            }
        }
        return false;
    }

    /** The same for a field or an element, by its offset. */
    private static boolean isReadOfUnsafe(MethodInsnNode call) {
        return call.owner.equals(UNSAFE) && call.desc.startsWith("(Ljava/lang/Object;J)") && call.name.startsWith("get");
    }

    boolean isReadOfUnsafe(AbstractInsnNode read) {
        return read instanceof MethodInsnNode && isReadOfUnsafe((MethodInsnNode) read);
    }

    /** Whether this is a call that only reads a variable of an atomic object, or that of a handle. */
    static boolean isReadOfAtomic(MethodInsnNode call) {
        return isOfAtomic(call) && GETTERS.contains(call.name);
    }

    /** Whether this is a call that looks for a key in a map. */
    boolean isLook(AbstractInsnNode insn) {
        return isOfMap(insn) && LOOKS.contains(((MethodInsnNode) insn).name + ((MethodInsnNode) insn).desc);
    }

    /**
     * Whether this is a call of a method of the program that may do nothing but read and compute, which is found out at run time
     * ({@link PureMethods}): of another class, or one that can be overridden.
     */
    boolean canBeAsked(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode) || insn.getOpcode() == Opcodes.INVOKESPECIAL) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return !isPlatform(call.owner) && Callees.fixed(type, call) == null;
    }

    /** Whether a call has no result. */
    static boolean isVoid(MethodInsnNode call) {
        return call.desc.endsWith(")V");
    }

    /** Whether a call is of a method of the program. The class itself is the program's, also if it is in a package like {@code javax.mail}. */
    boolean isOfProgram(MethodInsnNode call) {
        return !isPlatform(call.owner) || call.owner.equals(type.name);
    }

    /** Whether this is a class of the platform, or an array. */
    static boolean isPlatform(String owner) {
        return owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("jdk/") || owner.startsWith("sun/") || owner.charAt(0) == '[';
    }

    /** Whether a lookup only asks whether the key is there. */
    boolean asksForKey(AbstractInsnNode look) {
        return ((MethodInsnNode) look).desc.endsWith("Z");
    }

    /** Whether this is a call that looks for a key, and puts it into the map if it is not there, in one step if the map is concurrent. */
    boolean isAct(AbstractInsnNode insn) {
        return isOfMap(insn) && ACTS.contains(((MethodInsnNode) insn).name);
    }

    private static boolean isOfMap(AbstractInsnNode insn) {
        boolean isCall = insn.getOpcode() == Opcodes.INVOKEINTERFACE || insn.getOpcode() == Opcodes.INVOKEVIRTUAL;
        return isCall && MAPS.contains(((MethodInsnNode) insn).owner);
    }

    boolean isCompareAndSet(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode) || insn.getOpcode() != Opcodes.INVOKEVIRTUAL) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return isOfAtomic(call) && (call.name.equals("compareAndSet") || call.name.startsWith("weakCompareAndSet")) && call.desc.endsWith(")Z");
    }

    /** Whether this is a {@code compareAndSet} of a field or an element, by its offset. */
    boolean isCompareAndSetOfUnsafe(AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode && ((MethodInsnNode) insn).owner.equals(UNSAFE) && ((MethodInsnNode) insn).name.startsWith("compareAndSwap");
    }

    /** Whether a called method may be a {@code compareAndSet}, of one value to another: a method that wraps one returns whether it has succeeded. */
    static boolean mayCompareAndSet(MethodInsnNode call) {
        Type[] types = Type.getArgumentTypes(call.desc);
        return call.desc.endsWith(")Z") && types.length > 1 && types[types.length - 1].equals(types[types.length - 2]);
    }

    private static boolean isOfAtomic(MethodInsnNode call) {
        return call.owner.equals(HANDLE) || isAtomic(call.owner);
    }

    private static boolean isAtomic(String owner) {
        boolean hasOther = owner.endsWith("StampedReference") || owner.endsWith("MarkableReference");
        return owner.startsWith(ATOMIC) && !hasOther;
    }

    static boolean isLock(AbstractInsnNode insn) {
        return isOfLock(insn, "lock");
    }

    static boolean isUnlock(AbstractInsnNode insn) {
        return isOfLock(insn, "unlock");
    }

    private static boolean isOfLock(AbstractInsnNode insn, String method) {
        if (!(insn instanceof MethodInsnNode)) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return call.owner.startsWith("java/util/concurrent/locks/") && call.name.equals(method) && call.desc.equals("()V");
    }

    /** Whether the operands of a read cannot make it throw. A final field of the class that has an object is assumed always to have one. */
    boolean cannotThrow(AbstractInsnNode insn, Frame<SharedValue> frame) {
        if (insn.getOpcode() == Opcodes.GETSTATIC) {
            // Except for a class that cannot be initialised.
            return true;
        }
        if (insn.getOpcode() == Opcodes.GETFIELD) {
            return isThere(frame.getStack(frame.getStackSize() - 1).name);
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        Type[] types = Type.getArgumentTypes(call.desc);
        boolean isThere = !call.owner.endsWith("Array") && !call.owner.equals(UNSAFE) && (isOfAtomic(call) || !type.superName.endsWith("Array"));
        for (int i = 0; i <= types.length; i++) {
            isThere &= isThere(frame.getStack(frame.getStackSize() - 1 - i).name);
        }
        return isThere;
    }

    /** Whether this is the name of an object that is certainly not null. */
    static boolean isThere(String name) {
        return name != null && (name.equals(THIS) || name.charAt(0) == 's' || name.indexOf('.') >= 0);
    }

    /** Whether this is the name of something that is the same before and after an attempt, whatever the attempt does. */
    static boolean isStable(String name) {
        return name != null && name.charAt(0) != '#';
    }

    /** Returns the variable of an access, as a name that only accesses of this variable have in a call of the method; null if it is unknown. */
    String of(AbstractInsnNode insn, Frame<SharedValue> frame) {
        if (frame == null) {
            return null;
        }
        if (insn instanceof FieldInsnNode) {
            FieldInsnNode field = (FieldInsnNode) insn;
            String holder = insn.getOpcode() == Opcodes.GETSTATIC ? field.owner : frame.getStack(frame.getStackSize() - 1).name;
            // A field with the same name in a subclass is another one.
            boolean isInherited = insn.getOpcode() == Opcodes.GETFIELD && !field.owner.equals(type.name);
            return holder == null ? null : holder + ' ' + (isInherited ? field.owner + ' ' : "") + field.name;
        }
        if (isLook(insn) || isAct(insn)) {
            int top = frame.getStackSize() - Type.getArgumentTypes(((MethodInsnNode) insn).desc).length;
            String map = frame.getStack(top - 1).name;
            String key = frame.getStack(top).name;
            return map == null || key == null ? null : map + '{' + key + '}';
        }
        if (canBeAsked(insn)) {
            return ofAsk((MethodInsnNode) insn, frame);
        }
        return insn instanceof MethodInsnNode && isOfAtomic((MethodInsnNode) insn) ? ofCall((MethodInsnNode) insn, frame) : null;
    }

    /** Returns what a method reads that is called once more with the same operands: if its first answer is not used, neither is what it has read. */
    private static String ofAsk(MethodInsnNode call, Frame<SharedValue> frame) {
        int operands = Type.getArgumentTypes(call.desc).length + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
        StringBuilder name = new StringBuilder(call.owner).append('.').append(call.name).append(call.desc);
        for (int i = frame.getStackSize() - operands; i < frame.getStackSize(); i++) {
            String operand = frame.getStack(i).name;
            if (operand == null) {
                return null;
            }
            name.append(' ').append(operand);
        }
        return name.toString();
    }

    /** Whether an instruction of the method may write this variable, as far as the method itself shows. */
    boolean canWrite(AbstractInsnNode insn, Frame<SharedValue> frame, String variable) {
        if (insn.getOpcode() == Opcodes.PUTSTATIC || insn.getOpcode() == Opcodes.PUTFIELD) {
            return variable.endsWith(' ' + ((FieldInsnNode) insn).name);
        }
        if (isCompareAndSet(insn)) {
            String set = of(insn, frame);
            return set == null || set.equals(variable);
        }
        if (isOfMap(insn)) {
            return variable.endsWith("}") && !isLook(insn);
        }
        boolean isOther = insn instanceof MethodInsnNode && isOfAtomic((MethodInsnNode) insn) && !isRead(insn);
        return isOther && mayBeOf((MethodInsnNode) insn, frame, variable);
    }

    /** Whether a call may be of this variable: other calls of atomic objects have various operands. */
    private static boolean mayBeOf(MethodInsnNode call, Frame<SharedValue> frame, String variable) {
        int receiver = frame.getStackSize() - Type.getArgumentTypes(call.desc).length - 1;
        boolean isHandle = call.owner.equals(HANDLE) || call.owner.endsWith("FieldUpdater");
        String name = isHandle || receiver < 0 ? null : frame.getStack(receiver).name;
        return name == null || variable.startsWith(name + '[');
    }

    private String ofCall(MethodInsnNode call, Frame<SharedValue> frame) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int first = frame.getStackSize() - types.length;
        String receiver = frame.getStack(first - 1).name;
        int values = call.name.startsWith("get") ? 0 : 2;
        StringBuilder operands = new StringBuilder();
        for (int i = 0; i < types.length - values; i++) {
            String operand = frame.getStack(first + i).name;
            if (operand == null) {
                return null;
            }
            operands.append(i == 0 ? "" : ",").append(operand);
        }
        if (receiver == null) {
            return null;
        }
        boolean isHandle = call.owner.equals(HANDLE) || call.owner.endsWith("FieldUpdater");
        String target = isHandle && receiver.charAt(0) == 's' ? target(receiver.substring(1)) : null;
        if (target != null && types.length - values <= 1) {
            return (operands.length() == 0 ? type.name : operands.toString()) + ' ' + target;
        }
        return receiver + '[' + operands + ']';
    }
}
