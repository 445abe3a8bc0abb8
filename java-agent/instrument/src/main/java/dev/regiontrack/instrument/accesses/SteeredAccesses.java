package dev.regiontrack.instrument.accesses;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.instrument.flow.MethodShape;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.frames.NewLabels;
import dev.regiontrack.runtime.steering.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Calls at the places of a plan that access fields or elements, or enter or leave monitors. They are outside all hooks of the same instruction, so
 * this concern is the first: nothing is locked when a thread is held. The object goes through a local, because it is gone from the stack after the
 * access.
 */
public final class SteeredAccesses implements Concern {
    private static final Set<String> READ = Set.of("read");
    private static final Set<String> WRITE = Set.of("write");
    private static final Set<String> ACQUIRE = Set.of("acquire");
    private static final Set<String> RELEASE = Set.of("release");
    private static final String ELEMENT = "[]";
    private static final String MONITOR = "";

    private final MethodCode code;
    private final MethodShape shape;
    private final NewLabels news;
    private final Temporaries temporaries;
    private final SteeredPlaces places;
    private boolean isConstructed;

    public SteeredAccesses(MethodCode code, MethodShape shape, NewLabels news, Temporaries temporaries, SteeredPlaces places) {
        this.code = code;
        this.shape = shape;
        this.news = news;
        this.temporaries = temporaries;
        this.places = places;
        isConstructed = shape.superCall() == null;
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        return places.areAny() && code.isConstructor() && insn.getOpcode() == PUTFIELD;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        isConstructed |= insn == shape.superCall();
        if (!places.areAny()) {
            return;
        }
        int op = insn.getOpcode();
        if (insn instanceof FieldInsnNode) {
            field((FieldInsnNode) insn, frame);
        } else if (op == MONITORENTER || op == MONITOREXIT) {
            monitor(insn, op == MONITORENTER ? ACQUIRE : RELEASE);
        } else if (op >= IALOAD && op <= SALOAD) {
            element(insn, places.of(insn, ELEMENT, READ), null);
        } else if (op >= IASTORE && op <= SASTORE) {
            element(insn, places.of(insn, ELEMENT, WRITE), VALUES[op - IASTORE]);
        }
    }

    /** Types of the values of the instructions that write elements, in order. */
    private static final Type[] VALUES = {Type.INT_TYPE, Type.LONG_TYPE, Type.FLOAT_TYPE, Type.DOUBLE_TYPE, Type.getType(Object.class), Type.INT_TYPE, Type.INT_TYPE,
        Type.INT_TYPE};

    private void field(FieldInsnNode insn, FrameNode frame) {
        boolean isRead = insn.getOpcode() == GETFIELD || insn.getOpcode() == GETSTATIC;
        boolean isStatic = insn.getOpcode() == GETSTATIC || insn.getOpcode() == PUTSTATIC;
        if (isHidden(insn, frame)) {
            return;
        }
        List<Place> at = new ArrayList<>(places.of(insn, insn.name, isRead ? READ : WRITE));
        // An object that a method fills counts as written where it leaves the method, and not where it is filled.
        if (!isStatic && (isRead || temporaries.maker(insn) == null)) {
            at.addAll(places.ofFields(insn, isRead ? READ : WRITE));
        }
        if (at.isEmpty()) {
            return;
        }
        boolean hasObject = !isStatic && SteeredPlaces.needObject(at);
        InsnList before = places.before(at);
        if (hasObject) {
            before.add(isRead ? list(new InsnNode(DUP)) : FieldAccesses.under(Type.getType(insn.desc).getSize()));   // o [v] o
            before.add(new VarInsnNode(ASTORE, places.object()));                            // o [v]
        }
        before.add(places.approaching(at, hasObject, false));
        code.before(insn, before);
        code.after(insn, places.after(at, hasObject, false));
    }

    /** Whether this is a write to an object before its constructor has called super(): no other thread can see the object, and no call may get it. */
    private boolean isHidden(AbstractInsnNode insn, FrameNode frame) {
        if (insn.getOpcode() != PUTFIELD || !code.isConstructor()) {
            return false;
        }
        // Unknown in an old class file without frames.
        return frame == null ? !isConstructed : frame.stack.get(frame.stack.size() - 2) == Opcodes.UNINITIALIZED_THIS;
    }

    /** {@code value} is the type of the written value; null for a read. */
    private void element(AbstractInsnNode insn, List<Place> at, Type value) {
        if (at.isEmpty()) {
            return;
        }
        boolean hasObject = SteeredPlaces.needObject(at);
        InsnList before = places.before(at);
        if (hasObject) {
            int scratch = value == null ? 0 : code.scratch(value.getSize());
            before.add(value == null ? list() : list(new VarInsnNode(value.getOpcode(ISTORE), scratch)));     // a i
            before.add(list(new InsnNode(DUP2), new VarInsnNode(ISTORE, places.element())));                  // a i a
            before.add(new VarInsnNode(ASTORE, places.object()));                                             // a i
            before.add(value == null ? list() : list(new VarInsnNode(value.getOpcode(ILOAD), scratch)));      // a i v
            if (value != null && value.getSort() == Type.OBJECT) {
                before.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, scratch)));                // a i v
            }
        }
        before.add(places.approaching(at, hasObject, hasObject));
        code.before(insn, before);
        code.after(insn, places.after(at, hasObject, hasObject));
    }

    /** The call comes behind the end of the handlers that cover the instruction: one of javac's would leave the monitor again. */
    private void monitor(AbstractInsnNode insn, Set<String> action) {
        List<Place> at = places.of(insn, MONITOR, action);
        if (at.isEmpty()) {
            return;
        }
        boolean hasObject = SteeredPlaces.needObject(at);
        InsnList before = places.before(at);
        before.add(hasObject ? list(new InsnNode(DUP), new VarInsnNode(ASTORE, places.object())) : list());   // l
        code.before(insn, before);
        AbstractInsnNode last = insn;
        for (AbstractInsnNode next = insn.getNext(); isPassed(next); next = next.getNext()) {
            last = next;
        }
        code.after(last, places.after(at, hasObject, false));
    }

    /** Labels that name the object of a {@code new} stay right before it. */
    private boolean isPassed(AbstractInsnNode insn) {
        return insn instanceof LabelNode ? !shape.isTarget((LabelNode) insn) && !news.contains(insn) : insn instanceof LineNumberNode;
    }
}
