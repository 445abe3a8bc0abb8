package dev.regiontrack.instrument.flow;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The methods of a class that make no event, whatever they call: they access final fields and locals, and call each other, {@code Math} and the
 * constructor of {@code Object}. A block without an event has no effect, so they need not be blocks, and a call of one is no event either.
 *
 * <p>Analysed before the class is instrumented. A call counts only if the class file shows which method it reaches: one of the same class that
 * cannot be overridden. So the class alone decides what is reached, and it is instrumented as a whole when it is redefined.
 */
public final class Silence {
    private final ClassNode type;
    private final Map<String, MethodNode> silent = new HashMap<>();

    private Silence(ClassNode type) {
        this.type = type;
    }

    public static Silence of(ClassNode type, Accesses accesses) {
        Silence result = new Silence(type);
        for (MethodNode method : type.methods) {
            if (method.instructions.size() > 0 && (method.access & Opcodes.ACC_SYNCHRONIZED) == 0 && !accesses.areAny(method)) {
                result.silent.put(method.name + method.desc, method);
            }
        }
        // Methods that call only each other make no event, so all are silent until one calls another method.
        while (result.removeOthers()) {
            continue;
        }
        return result;
    }

    /** Removes methods that call another method; returns whether there were any. */
    private boolean removeOthers() {
        boolean wereAny = false;
        for (Iterator<MethodNode> i = silent.values().iterator(); i.hasNext();) {
            if (!callsOnlySilent(i.next())) {
                i.remove();
                wereAny = true;
            }
        }
        return wereAny;
    }

    private boolean callsOnlySilent(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (MethodShape.isCallOrMonitor(insn, type.name) && !isSilent(insn)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the instruction is a call that makes no event. */
    boolean isSilent(AbstractInsnNode insn) {
        if (!(insn instanceof MethodInsnNode)) {
            return false;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        if (call.owner.equals("java/lang/Math") || call.owner.equals("java/lang/StrictMath")) {
            return true;
        }
        if (call.owner.equals("java/lang/Object")) {
            return call.name.equals("<init>");
        }
        MethodNode callee = call.owner.equals(type.name) ? silent.get(call.name + call.desc) : null;
        return callee != null && (insn.getOpcode() != Opcodes.INVOKEVIRTUAL && insn.getOpcode() != Opcodes.INVOKEINTERFACE
            || (callee.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL)) != 0 || (type.access & Opcodes.ACC_FINAL) != 0);
    }
}
