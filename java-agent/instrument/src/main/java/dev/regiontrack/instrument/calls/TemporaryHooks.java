package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.accesses.FieldAccesses;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.Locals;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.instrument.flow.Attempt;
import dev.regiontrack.instrument.flow.Borrowers;
import dev.regiontrack.instrument.flow.Passing;
import dev.regiontrack.instrument.flow.Temporaries;
import dev.regiontrack.instrument.frames.Frames;
import dev.regiontrack.runtime.steering.Place;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Hooks where an array or object escapes the method that allocated it, or an array is lent to another method. */
public final class TemporaryHooks implements Concern {
    private static final Handle LINK = new Handle(H_INVOKESTATIC, RuntimeNames.COPIES, "link",
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;I)Ljava/lang/invoke/CallSite;", false);

    private final MethodCode code;
    private final Temporaries temporaries;
    private final SteeredPlaces places;
    private final boolean hasBegun;
    private final boolean isSmall;

    /** {@code hasBegun} if the method's own hooks show that its thread makes an event. */
    public TemporaryHooks(MethodCode code, Temporaries temporaries, SteeredPlaces places, boolean hasBegun) {
        this.code = code;
        this.temporaries = temporaries;
        this.places = places;
        this.hasBegun = hasBegun;
        isSmall = code.isSmall();
    }

    @Override
    public boolean concernsOthers() {
        return temporaries.leaveAny();
    }

    @Override
    public boolean needsFrame(AbstractInsnNode insn) {
        for (Temporaries.Operand leaving : temporaries.leaving(insn)) {
            if (leaving.parameter >= 0) {
                return canBeCopied((MethodInsnNode) insn);
            }
        }
        return false;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (!hasBegun && temporaries.first().contains(insn)) {
            code.before(insn, code.hook("acts", "(" + T + "I)V", code.site("array-read", insn)));
        }
        for (Temporaries.Operand leaving : temporaries.leaving(insn)) {
            if (leaving.maker != null) {
                objectLeaves(insn, leaving);                                                 // ..
            } else if (leaving.parameter < 0) {
                code.before(insn, copy(leaving));                                            // .. a
                code.before(insn, code.hook("leaves", "(" + OBJECT + T + "I)V", code.site("array-write", leaving.place)));   // ..
            } else {
                passes((MethodInsnNode) insn, leaving, frame);                                   // ..
            }
        }
        if (temporaries.isBorrowing(insn)) {
            code.before(insn, list(code.loadState()));                                       // .. t
            MethodInsnNode call = (MethodInsnNode) insn;
            call.desc = Borrowers.desc(call.desc);
            // A copy is private, which old class files call only in this way.
            call.setOpcode(call.getOpcode() == INVOKEVIRTUAL ? INVOKESPECIAL : call.getOpcode());
        }
        Temporaries.Operand lent = temporaries.lent(insn);
        if (lent != null) {
            code.before(insn, copy(lent));                                                   // .. a
            code.before(insn, list(code.loadState(), MethodCode.invoke("lend", "(" + OBJECT + T + ")V")));   // ..
            code.after(insn, code.hook("returned"));
        }
    }

    /**
     * All fields of the object count as written. That is a place of a plan, too, which is passed when other threads can have the object: after a store
     * or a call. After what ends the method no code follows, so there the place is passed before; so it is where two objects leave at once, because
     * there is one local.
     */
    private void objectLeaves(AbstractInsnNode insn, Temporaries.Operand leaving) {
        List<Place> at = places.ofFields(leaving.place, Set.of("write"));
        boolean isBehind = !at.isEmpty() && Attempt.goesOn(insn) && temporaries.leaving(insn).size() == 1;
        code.before(insn, places.before(at));                                                // ..
        if (isBehind) {
            code.before(insn, copy(leaving));                                                // .. o
            code.before(insn, list(new VarInsnNode(ASTORE, places.leaving())));              // ..
        }
        code.before(insn, copy(leaving));                                                    // .. o
        int site = code.sites.object(code.method, code.line(leaving.place), leaving.maker);
        code.before(insn, code.hook("objectLeaves", "(" + OBJECT + T + "I)V", site));        // ..
        InsnList passed = new InsnList();
        for (Place place : at) {
            // The locals of the object and the index belong to the instruction that comes next.
            InsnList about = isBehind ? list(new VarInsnNode(ALOAD, places.leaving())) : copy(leaving);   // .. o
            about.add(new InsnNode(ICONST_M1));                                              // .. o i
            passed.add(places.passed(place, about));                                         // ..
        }
        if (isBehind) {
            // The local must not keep the object from being collected.
            passed.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, places.leaving())));   // ..
            code.after(insn, passed);
        } else {
            code.before(insn, passed);
        }
    }

    /** Lends the array or lets it escape, by what is known at run time of the called method. */
    private void passes(MethodInsnNode call, Temporaries.Operand passed, FrameNode frame) {
        int site = code.sites.call(code.method, code.line(passed.place), call, passed.parameter);
        boolean isConstruction = Frames.isConstruction(call);
        if (frame != null && canBeCopied(call) && (!isConstruction || Frames.isTwice(frame, call))) {
            LabelNode ordinary = new LabelNode();
            LabelNode returned = new LabelNode();
            borrows(call, site);                                                             // .. z
            code.before(call, list(new JumpInsnNode(IFEQ, ordinary)));                       // ..
            if (isConstruction) {
                // The copy makes another object. No one has seen this one.
                toLocals(call, -1);                                                          // o o
                code.before(call, list(new InsnNode(POP2)));                                 //
                fromLocals(call);                                                            // ..
            }
            code.before(call, list(code.loadState(), linked(call, site), new JumpInsnNode(GOTO, returned)));   // v
            code.before(call, code.target(ordinary, Frames.copy(frame)));                    // ..
            code.after(call, FieldAccesses.apart(call));                                     // v
            code.after(call, code.target(returned, Frames.after(frame, call)));              // v
        }
        if (Passing.isFixed(call)) {
            code.before(call, copy(passed));                                                 // .. a
            code.before(call, code.hook("passes", "(" + OBJECT + T + "I)V", site));          // ..
        } else {
            int array = toLocals(call, passed.parameter);                                    // r
            code.before(call, list(new InsnNode(DUP), new VarInsnNode(ALOAD, array)));       // r r a
            code.before(call, code.hook("passes", "(" + OBJECT + OBJECT + T + "I)V", site)); // r
            fromLocals(call);                                                                // r ..
        }
        code.after(call, code.hook("returned"));                                             // v
    }

    /** Whether the call may go to the method's copy, which is decided at run time. In a large method there is no room for both. */
    private boolean canBeCopied(MethodInsnNode call) {
        return isSmall && code.isSince(V1_7) && !ModelledCalls.canBeOperation(call) && Borrowers.canBeCopied(call);
    }

    /** Asks whether the call goes to the method's copy, in the code of the program, so that the branch has its own profile. */
    private void borrows(MethodInsnNode call, int site) {
        if (Passing.isFixed(call)) {
            code.before(call, list(code.sites.push(code.instructions, site), MethodCode.invoke("borrows", "(I)Z")));   // .. z
            return;
        }
        toLocals(call, -1);                                                                  // r
        code.before(call, list(new InsnNode(DUP), code.sites.push(code.instructions, site)));   // r r s
        code.before(call, list(MethodCode.invoke("borrows", "(" + OBJECT + "I)Z"), new VarInsnNode(ISTORE, code.local(Locals.Use.VALUE))));   // r
        fromLocals(call);                                                                    // r ..
        code.before(call, list(new VarInsnNode(ILOAD, code.local(Locals.Use.VALUE))));       // r .. z
    }

    /**
     * Makes the call of a copy: with the thread's state as the last argument, and all references as objects, so that no class is loaded for it. That
     * of a constructor returns the object.
     */
    private AbstractInsnNode linked(MethodInsnNode call, int site) {
        boolean isConstruction = Frames.isConstruction(call);
        StringBuilder desc = new StringBuilder(Passing.isFixed(call) ? "(" : "(" + OBJECT);
        for (Type type : Type.getArgumentTypes(call.desc)) {
            desc.append(type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY ? OBJECT : type.getDescriptor());
        }
        desc.append(T).append(')').append(isConstruction ? 'L' + call.owner + ';' : Type.getReturnType(call.desc).getDescriptor());
        InvokeDynamicInsnNode linked = new InvokeDynamicInsnNode(isConstruction ? "make" : call.name, desc.toString(), LINK);
        code.sites.link(linked, site);
        return linked;
    }

    /** Moves the arguments of a call that has a receiver to locals; returns the local of a parameter, if one is given. */
    private int toLocals(MethodInsnNode call, int parameter) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int local = firstLocal(call) + (Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1;
        int found = 0;
        for (int i = types.length - 1; i >= 0; i--) {
            local -= types[i].getSize();
            found = i == parameter ? local : found;
            code.before(call, list(new VarInsnNode(types[i].getOpcode(ISTORE), local)));     // r
        }
        return found;
    }

    private void fromLocals(MethodInsnNode call) {
        int local = firstLocal(call);
        for (Type type : Type.getArgumentTypes(call.desc)) {
            code.before(call, list(new VarInsnNode(type.getOpcode(ILOAD), local)));          // r ..
            local += type.getSize();
        }
    }

    private int firstLocal(MethodInsnNode call) {
        return code.scratch((Type.getArgumentsAndReturnSizes(call.desc) >> 2) - 1);
    }

    private static InsnList copy(Temporaries.Operand operand) {
        return operand.isOnTop ? list(new InsnNode(DUP)) : list(new InsnNode(DUP2), new InsnNode(POP));
    }
}
