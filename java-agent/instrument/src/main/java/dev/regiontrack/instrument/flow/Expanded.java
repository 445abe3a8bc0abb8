package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.flow.Callees.Callee;
import dev.regiontrack.instrument.frames.Frames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A method with the code of {@link Callees} in place of their calls, in which attempts are found, and from which they are copied; it is never
 * executed itself. A call is replaced by a {@code nop}, then code that takes the arguments from the stack, then the callee's code. A receiver that is
 * null leads to code that throws, which no attempt has.
 */
final class Expanded {
    private static final int MAX_DEPTH = 3;
    private static final int MAX_SIZE = 300;

    /** The method itself if there are no such calls. */
    final MethodNode method;
    private final Callees callees;
    /** By instruction: that of the method; for a callee's instruction, the call in the method. Empty if nothing was expanded. */
    private final Map<AbstractInsnNode, AbstractInsnNode> places = new HashMap<>();
    /** By instruction that replaces a call: what is called. */
    private final Map<AbstractInsnNode, Callee> called = new HashMap<>();
    private final Set<AbstractInsnNode> inside = new HashSet<>();
    /** The null checks of receivers. */
    private final Set<AbstractInsnNode> checks = new HashSet<>();
    private final Map<TryCatchBlockNode, TryCatchBlockNode> blocks = new HashMap<>();
    private int size;

    private Expanded(MethodNode method, Callees callees) {
        this.method = method;
        this.callees = callees;
    }

    /** Expands a method if it calls any of these; their locals begin at {@code free}. */
    static Expanded of(String type, MethodNode method, Callees callees, int free) {
        Set<AbstractInsnNode> calls = new HashSet<>();
        for (AbstractInsnNode insn : method.instructions) {
            if (callees.of(insn) != null) {
                calls.add(insn);
            }
        }
        if (calls.isEmpty()) {
            return new Expanded(method, callees);
        }
        MethodNode copy = new MethodNode(Opcodes.ASM9, method.access, method.name, method.desc, null, null);
        copy.maxLocals = Math.max(method.maxLocals, free);
        copy.maxStack = method.maxStack + 1;
        Expanded expanded = new Expanded(copy, callees);
        expanded.fill(method, new Frames(type, method, calls), free);
        return expanded;
    }

    private void fill(MethodNode original, Frames frames, int free) {
        Map<LabelNode, LabelNode> labels = labels(original);
        for (AbstractInsnNode insn : original.instructions) {
            Callee callee = size < MAX_SIZE ? callees.of(insn) : null;
            FrameNode before = callee == null ? null : frames.before(insn);
            if (before == null) {
                AbstractInsnNode copy = insn.clone(labels);
                method.instructions.add(copy);
                places.put(copy, insn);
                continue;
            }
            AbstractInsnNode mark = new InsnNode(Opcodes.NOP);
            method.instructions.add(mark);
            places.put(mark, insn);
            called.put(mark, callee);
            InsnList code = new Inlined(callee, new Context(named(before, labels), free), 1).code();
            for (AbstractInsnNode each : code) {
                places.put(each, insn);
                inside.add(each);
            }
            method.instructions.add(code);
        }
        for (TryCatchBlockNode block : original.tryCatchBlocks) {
            TryCatchBlockNode copy = new TryCatchBlockNode(labels.get(block.start), labels.get(block.end), labels.get(block.handler), block.type);
            method.tryCatchBlocks.add(copy);
            blocks.put(block, copy);
        }
    }

    private static Map<LabelNode, LabelNode> labels(MethodNode of) {
        Map<LabelNode, LabelNode> result = new HashMap<>();
        for (AbstractInsnNode insn : of.instructions) {
            if (insn instanceof LabelNode) {
                result.put((LabelNode) insn, new LabelNode());
            }
        }
        return result;
    }

    /** Returns the frame with the labels of the copy. */
    private static FrameNode named(FrameNode frame, Map<LabelNode, LabelNode> labels) {
        FrameNode result = Frames.copy(frame);
        for (List<Object> types : List.of(result.local, result.stack)) {
            for (int i = 0; i < types.size(); i++) {
                types.set(i, types.get(i) instanceof LabelNode ? labels.get(types.get(i)) : types.get(i));
            }
        }
        return result;
    }

    /** What the verifier knows before a call, and the first free local. */
    private static final class Context {
        final FrameNode before;
        final int free;

        Context(FrameNode before, int free) {
            this.before = before;
            this.free = free;
        }
    }

    /** The code that replaces one call. */
    private final class Inlined {
        private final MethodNode body;
        private final Callee callee;
        private final Context context;
        private final int depth;
        private final LabelNode end = new LabelNode();
        private final LabelNode isNull = new LabelNode();
        private final Map<LabelNode, LabelNode> labels;
        /** What is below the arguments, and all locals up to the callee's. */
        private final FrameNode outside;
        private final InsnList list = new InsnList();

        Inlined(Callee callee, Context context, int depth) {
            this.callee = callee;
            this.context = context;
            this.depth = depth;
            body = callee.method;
            labels = labels(body);
            outside = Frames.copy(context.before);
            int operands = Type.getArgumentTypes(body.desc).length + (callee.isStatic() ? 0 : 1);
            outside.stack.subList(outside.stack.size() - operands, outside.stack.size()).clear();
            fill(outside.local, context.free);
            method.maxLocals = Math.max(method.maxLocals, context.free + body.maxLocals);
            method.maxStack += body.maxStack;
        }

        private void fill(List<Object> locals, int to) {
            int words = locals.size();
            for (Object type : locals) {
                words += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 1 : 0;
            }
            locals.addAll(Collections.nCopies(to - words, Opcodes.TOP));
        }

        InsnList code() {
            takeArguments();
            for (AbstractInsnNode insn : body.instructions) {
                size++;
                if (insn instanceof FrameNode) {
                    list.add(within((FrameNode) insn));
                } else if (Callees.isReturn(insn)) {
                    list.add(new JumpInsnNode(Opcodes.GOTO, end));
                } else if (!(insn instanceof LineNumberNode)) {
                    add(insn);
                }
            }
            if (!callee.isStatic()) {
                list.add(isNull);
                list.add(within(new FrameNode(Opcodes.F_NEW, 1, new Object[] {receiver()}, 0, new Object[0])));
                list.add(new InsnNode(Opcodes.ACONST_NULL));
                list.add(new InsnNode(Opcodes.ATHROW));
            }
            list.add(end);
            list.add(after());
            // The class file can have a frame right there, too.
            list.add(new InsnNode(Opcodes.NOP));
            return list;
        }

        private void takeArguments() {
            Type[] types = Type.getArgumentTypes(body.desc);
            int local = context.free + (callee.isStatic() ? 0 : 1);
            List<AbstractInsnNode> stores = new ArrayList<>();
            for (Type type : types) {
                stores.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), local));
                local += type.getSize();
            }
            Collections.reverse(stores);
            for (AbstractInsnNode store : stores) {
                list.add(store);
            }
            if (!callee.isStatic()) {
                list.add(new VarInsnNode(Opcodes.ASTORE, context.free));
                list.add(new VarInsnNode(Opcodes.ALOAD, context.free));
                JumpInsnNode check = new JumpInsnNode(Opcodes.IFNULL, isNull);
                list.add(check);
                checks.add(check);
            }
        }

        private Object receiver() {
            return context.before.stack.get(outside.stack.size());
        }

        private void add(AbstractInsnNode insn) {
            Callee next = depth < MAX_DEPTH && size < MAX_SIZE ? callees.of(insn) : null;
            AbstractInsnNode copy = insn.clone(labels);
            if (copy instanceof VarInsnNode) {
                ((VarInsnNode) copy).var += context.free;
            } else if (copy instanceof IincInsnNode) {
                ((IincInsnNode) copy).var += context.free;
            }
            if (next == null) {
                list.add(copy);
                return;
            }
            list.add(new InsnNode(Opcodes.NOP));
            FrameNode before = within(callee.frames.before(insn));
            list.add(new Inlined(next, new Context(before, context.free + body.maxLocals), depth + 1).code());
        }

        /** Returns a frame of the callee at its place in the method. */
        private FrameNode within(FrameNode frame) {
            FrameNode own = named(frame, labels);
            FrameNode result = Frames.copy(outside);
            result.local.addAll(own.local);
            result.stack.addAll(own.stack);
            return result;
        }

        private FrameNode after() {
            FrameNode result = Frames.copy(outside);
            result.local = new ArrayList<>(context.before.local);
            Type type = Type.getReturnType(body.desc);
            if (type.getSort() != Type.VOID) {
                result.stack.add(Frames.type(type));
            }
            return result;
        }
    }

    // ---- the origins of instructions

    /** Whether an instruction is a callee's. */
    boolean isInside(AbstractInsnNode insn) {
        return inside.contains(insn);
    }

    /** Whether the instruction checks if the receiver of a call, which is on the stack, is null. */
    boolean isCheck(AbstractInsnNode insn) {
        return checks.contains(insn);
    }

    /** The receiver is known not to be null: replaces the check, and returns the replacement. */
    AbstractInsnNode passCheck(AbstractInsnNode check) {
        AbstractInsnNode pop = new InsnNode(Opcodes.POP);
        method.instructions.set(check, pop);
        places.put(pop, places.get(check));
        inside.add(pop);
        return pop;
    }

    /** Returns the instruction of the method; for a callee's instruction, the call in the method. */
    AbstractInsnNode place(AbstractInsnNode insn) {
        return places.getOrDefault(insn, insn);
    }

    /** Returns the callee of the call that this instruction has replaced; null if there was none. */
    Callee called(AbstractInsnNode insn) {
        return called.get(insn);
    }

    /**
     * Returns the position of the {@code compareAndSet} in an expanded call that does only that, if its receiver is not
     * null; otherwise the same position.
     */
    int compareAndSet(Jumps jumps, Variables variables, int at) {
        AbstractInsnNode insn = jumps.at(at);
        if (called(insn) == null || !called(insn).isCompareAndSet) {
            return at;
        }
        int i = at + 1;
        while (!variables.isCompareAndSet(jumps.at(i))) {
            if (isCheck(jumps.at(i))) {
                return at;
            }
            i++;
        }
        return i;
    }

    /** Returns the range of a handler of the method. */
    TryCatchBlockNode range(TryCatchBlockNode block) {
        return blocks.getOrDefault(block, block);
    }
}
