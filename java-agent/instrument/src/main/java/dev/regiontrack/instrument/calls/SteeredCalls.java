package dev.regiontrack.instrument.calls;

import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.models.ModelTable;
import dev.regiontrack.runtime.steering.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Calls at the places of a plan that are calls of the library, and around calls of methods that may be synchronized, whose monitors are places: such
 * a method holds its monitor in all of its own code. Like {@link dev.regiontrack.instrument.accesses.SteeredAccesses}, they are outside all hooks.
 */
public final class SteeredCalls implements Concern {
    /** Which of these a call does shows only after it. */
    private static final Set<String> ACTIONS = Set.of("read", "write", "acquire", "release");

    /** What calls of the library do to locks, by the methods' names. */
    private static final Map<String, String> LOCKS =
            Map.of("lock", "acquire", "lockInterruptibly", "acquire", "tryLock", "acquire", "unlock", "release");

    private static final String READ = "read";
    /** Stands for the receiver in place of the position of an argument. */
    private static final int RECEIVER = -1;
    private static final int UNKNOWN = -2;

    private final MethodCode code;
    private final SteeredPlaces places;

    public SteeredCalls(MethodCode code, SteeredPlaces places) {
        this.code = code;
        this.places = places;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (!places.isSteered() || !(insn instanceof MethodInsnNode) || isNew((MethodInsnNode) insn) && ModelledCalls.argument((MethodInsnNode) insn) == null) {
            return;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        List<Place> at = places.areAny() ? at(call) : List.of();
        InsnList before = places.before(at);
        List<Place> entered = places.entered(call);
        boolean isStatic = call.getOpcode() == INVOKESTATIC;
        List<Place> left = places.left(call);
        int accessed = SteeredPlaces.needObject(at) ? accessed(call, at) : UNKNOWN;
        int kept = isStatic || left.isEmpty() ? accessed : RECEIVER;
        if (isStatic) {
            before.add(places.calls(call, entered, false));
        }
        if (kept != UNKNOWN || !isStatic && !entered.isEmpty()) {
            before.add(look(call, isStatic ? List.of() : entered, kept));
        }
        boolean hasObject = accessed != UNKNOWN && accessed == kept;
        before.add(places.approaching(at, hasObject, false));
        InsnList after = places.returned(call, left);
        after.add(places.after(at, hasObject, false));
        after.add(kept != UNKNOWN && !hasObject ? places.forget() : new InsnList());
        code.before(call, before);
        code.after(call, after);
    }

    private static boolean isNew(MethodInsnNode call) {
        return call.name.equals("<init>");
    }

    /** Returns the object that these places are about: the position of an argument, the receiver, or one of several, if it is unknown which. */
    private static int accessed(MethodInsnNode call, List<Place> places) {
        ModelTable.Argument argument = ModelledCalls.argument(call);
        int other = ModelledCalls.position(call);
        if (argument != null || call.getOpcode() == INVOKESTATIC) {
            return argument == null || other >= 0 ? UNKNOWN : argument.position;
        }
        if (other < 0) {
            return RECEIVER;
        }
        // Such a call reads its argument. One that writes the receiver does nothing else to it.
        boolean isOfArgument = !READ.equals(ModelTable.kind(call.name)) && places.stream().allMatch(place -> place.action.equals(READ));
        boolean isOfReceiver = places.stream().noneMatch(place -> place.action.equals(READ));
        return isOfArgument ? other : isOfReceiver ? RECEIVER : UNKNOWN;
    }

    /** A trace reports a lock of the library like a monitor: without the call, whose class can be one of the program's that extends the library's. */
    private List<Place> at(MethodInsnNode call) {
        List<Place> at = new ArrayList<>(places.of(call, isNew(call) ? "new()" : call.name + "()", ACTIONS));
        if (LOCKS.containsKey(call.name)) {
            at.addAll(places.of(call, "", Set.of(LOCKS.get(call.name))));
        }
        return at;
    }

    /** Moves the arguments away from above the receiver, and back. {@code kept} is the object that is needed after the call. */
    private InsnList look(MethodInsnNode call, List<Place> entered, int kept) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        int local = 0;
        for (int i = 0; i < types.length; i++) {
            local = i == kept ? size : local;
            size += types[i].getSize();
        }
        int first = code.scratch(size);
        InsnList list = LibraryCalls.away(types, first);                                     // [r]
        list.add(places.calls(call, entered, true));                                         // [r]
        if (kept != UNKNOWN) {
            list.add(kept == RECEIVER ? new InsnNode(DUP) : new VarInsnNode(ALOAD, first + local));   // [r] o
            list.add(new VarInsnNode(ASTORE, places.object()));                              // [r]
        }
        list.add(LibraryCalls.back(types, first));                                           // [r] args
        return list;
    }
}
