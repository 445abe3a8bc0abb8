package dev.regiontrack.instrument.classes;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.selection.Origin;
import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bodies.Sampling;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.CodeSizeEvaluator;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Combines two bodies of a method, if only a part of the run is watched: first the program's own, and behind it the one with hooks. At its entry the
 * method asks {@link Sampling} which one to run, and stays in it. A method of the platform, which the agent can call too, asks {@link Platform}.
 *
 * <p>They are one method, so that stack traces, and code that finds its caller by them, see no difference. A class initialiser has no hooks.
 */
final class TwoBodies {

    /** The most bytes of a method, with room for jumps that need more. */
    private static final int MOST_BYTES = 50_000;

    private final MethodCode code;
    /** The original method; in a class of a profile's slice, with the hooks that the profile has kept. */
    private final MethodNode plain;
    private final boolean needsFrames;
    private final int size;

    /** Must be called before the method is changed. {@code first} is the body without hooks, or with fewer. */
    TwoBodies(MethodCode code, MethodNode first) {
        this.code = code;
        plain = first;
        needsFrames = code.needsFrames();
        size = MethodCode.size(first);
    }

    /** Copies a method with its present code. */
    static MethodNode copy(MethodNode method) {
        MethodNode copy = new MethodNode(ASM9, method.access, method.name, method.desc, null, null);
        method.accept(copy);
        return copy;
    }

    /**
     * Puts the original body before the present one; {@code block} is the method's site if it is a block, otherwise -1. Returns false if only the
     * original remains, because there is no room.
     */
    boolean join(int block) {
        MethodNode method = code.method;
        if (!isChanged()) {
            return true;
        }
        boolean isInitializer = method.name.equals("<clinit>");
        if (isInitializer || !fits()) {
            leave(block);
            return isInitializer;
        }
        LabelNode watched = new LabelNode();
        InsnList first = code.origin != Origin.PROGRAM ? outside() : entry(method.instructions, block, block < 0 ? "asks" : "enters", "(I)Z");   // z
        first.add(new JumpInsnNode(IFNE, watched));                                          // -
        first.add(plain.instructions);
        first.add(code.target(watched, needsFrames ? atEntry() : null));
        method.instructions.insert(first);
        method.tryCatchBlocks.addAll(0, plain.tryCatchBlocks);
        if (plain.localVariables != null && method.localVariables != null) {
            method.localVariables.addAll(0, plain.localVariables);
        }
        return true;
    }

    /** Whether the method has got hooks. */
    private boolean isChanged() {
        return code.method.instructions.size() != plain.instructions.size();
    }

    /** Whether the JVM compiles the method with both bodies, or does not compile the original either, and they are not too large for a method. */
    private boolean fits() {
        return size + code.size() <= (size > MethodCode.MOST_COMPILED ? MOST_BYTES : MethodCode.MOST_COMPILED);
    }

    /** Restores the method's own body; its instances are counted. */
    private void leave(int block) {
        MethodNode method = code.method;
        method.instructions = plain.instructions;
        if (block >= 0 && code.origin == Origin.PROGRAM) {
            method.instructions.insert(entry(method.instructions, block, "counts", "(I)V"));
        }
        method.tryCatchBlocks = plain.tryCatchBlocks;
        method.localVariables = plain.localVariables;
    }

    /** In a class of the platform: checks whether the thread is outside the agent, and the object is watched. */
    private InsnList outside() {
        InsnList list = atFirstLine();
        boolean isOfObject = code.origin == Origin.SUPERCLASS && !code.isStatic();
        if (isOfObject) {
            list.add(new VarInsnNode(ALOAD, 0));                                             // o
        }
        list.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.PLATFORM, "watches", isOfObject ? "(Ljava/lang/Object;)Z" : "()Z", false));   // z
        return list;
    }

    private InsnList atFirstLine() {
        LabelNode start = new LabelNode();
        return code.firstLine() <= 0 ? new InsnList() : list(start, new LineNumberNode(code.firstLine(), start));
    }

    private InsnList entry(InsnList into, int block, String name, String desc) {
        InsnList list = atFirstLine();
        if (block < 0) {
            list.add(new IntInsnNode(SIPUSH, Sampling.method(code.type.name, code.method.name + code.method.desc)));
        } else {
            list.add(code.sites.pushBlock(into, block));
        }
        list.add(new MethodInsnNode(INVOKESTATIC, RuntimeNames.SAMPLING, name, desc, false));
        return list;
    }

    /** Returns what the verifier knows when the method is called. */
    private FrameNode atEntry() {
        List<Object> locals = new ArrayList<>();
        if (!code.isStatic()) {
            locals.add(code.isConstructor() ? Opcodes.UNINITIALIZED_THIS : code.type.name);
        }
        for (Type type : Type.getArgumentTypes(code.method.desc)) {
            locals.add(Frames.type(type));
        }
        return new FrameNode(F_NEW, locals.size(), locals.toArray(), 0, new Object[0]);
    }
}
