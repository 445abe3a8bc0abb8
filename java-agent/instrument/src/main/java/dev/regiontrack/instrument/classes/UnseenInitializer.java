package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.list;

import dev.regiontrack.instrument.code.MethodCode;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * A class initialiser that is too large for hooks. If the program has one thread, its accesses are ordered before
 * everything that other threads do, by their forks, so nothing is missed; otherwise they are lost. A hook at its entry
 * and at each exit checks which is the case.
 */
final class UnseenInitializer {
    private final ClassNode type;
    private final MethodNode method;

    UnseenInitializer(ClassNode type, MethodNode method) {
        this.type = type;
        this.method = method;
    }

    void mark() {
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        InsnList code = method.instructions;
        for (AbstractInsnNode insn : code.toArray()) {
            if (insn.getOpcode() == Opcodes.RETURN) {
                code.insertBefore(insn, hook());
            }
        }
        code.insert(start);
        code.insert(hook());
        code.add(end);
        if ((type.version & 0xffff) >= Opcodes.V1_6) {
            code.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        }
        code.add(hook());                                                                    // e
        code.add(new InsnNode(Opcodes.ATHROW));                                              // -
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    }

    private InsnList hook() {
        LdcInsnNode name = new LdcInsnNode(type.name.replace('/', '.') + '.' + method.name + method.desc);
        return list(name, MethodCode.invoke("unseenInitializer", "(Ljava/lang/String;)V"));  // -
    }
}
