package dev.regiontrack.instrument.calls;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.instrument.code.Indices;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.selection.ReferenceBody;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.sites.ClassInfo;
import dev.regiontrack.runtime.steering.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * References to methods and constructors whose calls have hooks, or are steered ({@code map::put}, {@code ArrayList::new} with a collection). The JVM
 * links them to the platform's method itself, so the class gets a method that makes the call, like the body of a lambda, and the reference is
 * redirected to that. Neither reflection nor the stack trace of an exception shows it
 * ({@link dev.regiontrack.instrument.platform.ReflectionTransformer}).
 *
 * <p>Some references stay as they are: those that can be serialized, because the serialized form names the method; those of classes that are loaded
 * and had no such method then; and those of interfaces of an old version. Their calls are not seen, and are counted.
 */
public final class References {
    /** In the arguments of the bootstrap method: the method that is called, and flags. */
    private static final int CALLED = 1;
    private static final int FLAGS = 3;
    private static final String FACTORY = "java/lang/invoke/LambdaMetafactory";
    private static final String SERIALIZING = "altMetafactory";
    private static final int SERIALIZABLE = 1;
    private static final String NULL_POINTER = "java/lang/NullPointerException";
    private static final String INIT = "<init>";
    /** In place of a receiver. */
    private static final String NO_RECEIVER = "-";

    private final ClassNode type;
    private final Hierarchy hierarchy;
    private final Map<String, String> defined;
    private final Indices indices;
    /** The methods' names, by what they call. */
    private final Map<String, String> names = new LinkedHashMap<>();
    private int left;

    private References(ClassNode type, Hierarchy hierarchy, Map<String, String> defined, Indices indices) {
        this.indices = indices;
        this.type = type;
        this.hierarchy = hierarchy;
        this.defined = defined;
    }

    /**
     * Adds the methods to a class. Must be called before anything else inspects it. {@code defined} is null for a class that is not loaded yet; a
     * loaded one has these methods, and no others. {@code indices} are those of the class.
     */
    public static References add(ClassNode type, Hierarchy hierarchy, Map<String, String> defined, Indices indices) {
        References result = new References(type, hierarchy, defined, indices);
        for (MethodNode method : type.methods) {
            result.find(method);
        }
        for (Map.Entry<String, String> reference : (defined == null ? result.names : defined).entrySet()) {
            type.methods.add(result.body(reference.getKey(), reference.getValue()));
        }
        return result;
    }

    /** Returns the methods' names, by what they call. */
    public Map<String, String> names() {
        return names;
    }

    /** Returns how many references stay as they are. */
    public int left() {
        return left;
    }

    private void find(MethodNode method) {
        int line = 0;
        int[] found = indices.of(method);
        int at = 0;
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof LineNumberNode) {
                line = ((LineNumberNode) insn).line;
            } else if (insn instanceof InvokeDynamicInsnNode && isReference((InvokeDynamicInsnNode) insn)) {
                replace((InvokeDynamicInsnNode) insn, found == null ? line : SiteText.atIndex(found[at]), method.name + method.desc);
            }
            at += insn.getOpcode() >= 0 ? 1 : 0;
        }
    }

    private boolean isReference(InvokeDynamicInsnNode insn) {
        if (!insn.bsm.getOwner().equals(FACTORY) || insn.bsmArgs.length <= CALLED || !(insn.bsmArgs[CALLED] instanceof Handle)) {
            return false;
        }
        Handle called = (Handle) insn.bsmArgs[CALLED];
        boolean isSelected = called.getTag() == Opcodes.H_INVOKEVIRTUAL || called.getTag() == Opcodes.H_INVOKEINTERFACE;
        MethodInsnNode call = call(opcode(called), called.getOwner(), called.getName(), called.getDesc(), called.isInterface());
        if (isSteered(called)) {
            return true;
        }
        return hasNoReceiver(called) ? ModelledCalls.argument(call) != null : isSelected && (ModelledCalls.isOperation(call) || hierarchy.canInherit(call) || Models.of(call) != null);
    }

    /** Whether threads are held before or after the call. */
    private static boolean isSteered(Handle called) {
        boolean isCall = called.getTag() == Opcodes.H_INVOKEVIRTUAL || called.getTag() == Opcodes.H_INVOKEINTERFACE || called.getTag() == Opcodes.H_INVOKESTATIC;
        return isCall && !Plan.called(called.getOwner(), called.getName()).isEmpty();
    }

    private static boolean hasNoReceiver(Handle called) {
        return called.getTag() == Opcodes.H_NEWINVOKESPECIAL || called.getTag() == Opcodes.H_INVOKESTATIC;
    }

    private static int opcode(Handle called) {
        switch (called.getTag()) {
            case Opcodes.H_NEWINVOKESPECIAL: return Opcodes.INVOKESPECIAL;
            case Opcodes.H_INVOKESTATIC: return Opcodes.INVOKESTATIC;
            case Opcodes.H_INVOKEINTERFACE: return Opcodes.INVOKEINTERFACE;
            default: return Opcodes.INVOKEVIRTUAL;
        }
    }

    private static MethodInsnNode call(int opcode, String owner, String name, String desc, boolean isInterface) {
        return new MethodInsnNode(opcode, owner, name, desc, isInterface);
    }

    private void replace(InvokeDynamicInsnNode insn, int line, String within) {
        Handle called = (Handle) insn.bsmArgs[CALLED];
        Type[] captured = Type.getArgumentTypes(insn.desc);
        // A captured value must have exactly the type of the parameter.
        String receiver = hasNoReceiver(called) ? NO_RECEIVER : captured.length > 0 ? captured[0].getInternalName() : called.getOwner();
        String reference = String.join(" ", Integer.toString(opcode(called)), called.getOwner(), called.getName(), called.getDesc(),
            Boolean.toString(called.isInterface()), receiver, Integer.toString(line), within);
        String name = canHave(insn) ? name(reference, called.getName().equals(INIT) ? "new" : called.getName()) : null;
        if (name == null) {
            left += isSteered(called) ? 0 : 1;
            return;
        }
        boolean isInterface = (type.access & Opcodes.ACC_INTERFACE) != 0;
        insn.bsmArgs[CALLED] = new Handle(Opcodes.H_INVOKESTATIC, type.name, name, desc(called.getOwner(), called.getName(), receiver, called.getDesc()), isInterface);
    }

    private boolean canHave(InvokeDynamicInsnNode insn) {
        boolean isSerializable = insn.bsm.getName().equals(SERIALIZING) && insn.bsmArgs.length > FLAGS && insn.bsmArgs[FLAGS] instanceof Integer
            && ((Integer) insn.bsmArgs[FLAGS] & SERIALIZABLE) != 0;
        return !isSerializable && ((type.access & Opcodes.ACC_INTERFACE) == 0 || (type.version & 0xffff) >= Opcodes.V1_8);
    }

    /** Returns the name of the method for a reference; null if the class is loaded and has none. */
    private String name(String reference, String called) {
        if (defined != null) {
            return defined.get(reference);
        }
        if (!names.containsKey(reference)) {
            names.put(reference, ClassInfo.REFERENCE + names.size() + '$' + called);
        }
        return names.get(reference);
    }

    /** Returns the descriptor of the method that makes the call. */
    private static String desc(String owner, String called, String receiver, String desc) {
        if (!receiver.equals(NO_RECEIVER)) {
            return "(" + Type.getObjectType(receiver).getDescriptor() + desc.substring(1);
        }
        return called.equals(INIT) ? desc.substring(0, desc.indexOf(')') + 1) + Type.getObjectType(owner).getDescriptor() : desc;
    }

    /** Makes the method of this name that makes the call. */
    private MethodNode body(String reference, String name) {
        // The name of a method can contain spaces.
        String[] words = reference.split(" ", 8);
        String owner = words[1];
        String desc = words[3];
        String receiver = words[5];
        boolean hasReceiver = !receiver.equals(NO_RECEIVER);
        boolean isNew = words[2].equals(INIT);
        int line = Integer.parseInt(words[6]);
        MethodNode body = new ReferenceBody(name, desc(owner, words[2], receiver, desc), words[7], line);
        if (line >= 0) {
            LabelNode start = new LabelNode();
            body.instructions.add(MethodCode.list(start, new LineNumberNode(line, start)));
        }
        if (hasReceiver) {
            throwIfNull(body);
            body.instructions.add(new VarInsnNode(Opcodes.ALOAD, 0));                                                                          // r
        }
        if (isNew) {
            body.instructions.add(MethodCode.list(new TypeInsnNode(Opcodes.NEW, owner), new InsnNode(Opcodes.DUP)));                            // n n
        }
        if (hasReceiver && !receiver.equals(owner)) {
            // The verifier would load the classes to compare them.
            body.instructions.add(new TypeInsnNode(Opcodes.CHECKCAST, owner));                                                                 // r
        }
        int local = hasReceiver ? 1 : 0;
        for (Type argument : Type.getArgumentTypes(desc)) {
            body.instructions.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));                                                  // r args
            local += argument.getSize();
        }
        body.instructions.add(call(Integer.parseInt(words[0]), owner, words[2], desc, Boolean.parseBoolean(words[4])));                        // v
        body.instructions.add(new InsnNode(Type.getReturnType(body.desc).getOpcode(Opcodes.IRETURN)));
        body.maxLocals = local;
        body.maxStack = local + 2;
        return body;
    }

    /** The JVM's own exception would have a message; that of a reference has none. */
    private static void throwIfNull(MethodNode body) {
        LabelNode isThere = new LabelNode();
        body.instructions.add(MethodCode.list(new VarInsnNode(Opcodes.ALOAD, 0), new JumpInsnNode(Opcodes.IFNONNULL, isThere),
            new TypeInsnNode(Opcodes.NEW, NULL_POINTER), new InsnNode(Opcodes.DUP),
            new MethodInsnNode(Opcodes.INVOKESPECIAL, NULL_POINTER, "<init>", "()V", false), new InsnNode(Opcodes.ATHROW), isThere));
        List<Object> locals = new ArrayList<>();
        for (Type argument : Type.getArgumentTypes(body.desc)) {
            locals.add(Frames.type(argument));
        }
        body.instructions.add(new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]));
    }
}
