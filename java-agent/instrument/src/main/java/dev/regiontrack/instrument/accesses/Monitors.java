package dev.regiontrack.instrument.accesses;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.Sections;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.instrument.frames.NewLabels;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Hooks of {@code monitorenter} and {@code monitorexit}, and those of critical sections that begin to write. */
public final class Monitors implements Concern {
    private static final String OVERFLOW = "java/lang/StackOverflowError";

    private final MethodCode code;
    private final MethodShape shape;
    private final NewLabels news;
    private final Sections sections;
    private final boolean areWatched;

    public Monitors(MethodCode code, MethodShape shape, NewLabels news, Sections sections) {
        this.sections = sections;
        this.code = code;
        this.shape = shape;
        this.news = news;
        areWatched = code.watching.watchesMonitors(code.origins, code.method);
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        return insn.getOpcode() == MONITOREXIT && areWatched && code.isSince(V1_7);
    }

    @Override
    public boolean concernsOthers() {
        return sections.mayWrite();
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (sections.mayWrite(insn)) {
            code.before(insn, code.hook("writes"));                                          // -
        }
        if (insn.getOpcode() == MONITORENTER && areWatched) {
            enter(insn);
        } else if (insn.getOpcode() == MONITOREXIT && areWatched) {
            exit(insn, frame);
        }
    }

    /**
     * The hook is inside the range of the handler that leaves the monitor, so that the monitor is left even if the hook throws. The hook has
     * handled {@code lostExit}; the field is stored here so that it is resolved when {@link #exit} needs it.
     */
    private void enter(AbstractInsnNode insn) {
        code.before(insn, list(new InsnNode(DUP)));                                          // l l
        AbstractInsnNode last = insn;
        for (AbstractInsnNode next = insn.getNext(); isPassed(next); next = next.getNext()) {
            last = next;
        }
        boolean reads = sections.begins(insn);
        int site = code.site(reads ? SiteList.SECTION : SiteList.MONITOR, insn);
        InsnList list = code.hook(reads ? "enterToRead" : "enter", "(" + OBJECT + T + "I)V", site);   // l -> -
        list.add(list(code.loadState(), new InsnNode(ICONST_0), lostExit()));                // -
        code.after(last, list);
    }

    /** Labels that name the object of a {@code new} stay right before it. */
    private boolean isPassed(AbstractInsnNode insn) {
        return insn instanceof LabelNode ? !shape.isTarget((LabelNode) insn) && !news.contains(insn) : insn instanceof LineNumberNode;
    }

    /**
     * A handler of javac covers its own monitor exit: without stack for the call, that would be an endless loop. So the call has a separate
     * handler, which leaves the monitor first. After that there must be no exception, since no handler of the program would see it and the
     * monitors around this one would stay locked. Resolving a field could overflow the stack again; {@link #enter} has resolved this one.
     */
    private void exit(AbstractInsnNode insn, FrameNode frame) {
        AbstractInsnNode load = insn.getPrevious();
        InsnList list = list(new InsnNode(DUP));                                             // l l
        list.add(code.hook("exit", "(" + OBJECT + T + "I)V", code.site(SiteList.MONITOR, insn)));   // l
        if (frame == null || frame.stack.size() != 1 || load == null || load.getOpcode() != ALOAD) {
            code.before(insn, list);
            return;
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode handler = new LabelNode();
        LabelNode left = new LabelNode();
        list.insert(start);
        list.add(end);
        code.before(insn, list);                                                             // l
        if (!Frames.isBeforeFrame(insn)) {
            code.after(insn, list(Frames.empty(frame)));
        }
        code.after(insn, list(left));                                                        // -
        code.method.tryCatchBlocks.add(0, new TryCatchBlockNode(start, end, handler, OVERFLOW));
        code.detours.add(list(handler, Frames.alone(frame, OVERFLOW)));                      // e
        code.detours.add(list(new InsnNode(POP), new VarInsnNode(ALOAD, ((VarInsnNode) load).var), new InsnNode(MONITOREXIT)));   // -
        code.detours.add(list(code.loadState(), new InsnNode(ICONST_1)));                    // t 1
        code.detours.add(list(lostExit(), new JumpInsnNode(GOTO, left)));                    // -
    }

    private static AbstractInsnNode lostExit() {
        return new FieldInsnNode(PUTFIELD, RuntimeNames.STATE, "lostExit", "I");
    }
}
