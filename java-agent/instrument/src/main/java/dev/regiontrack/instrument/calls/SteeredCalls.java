package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SteeredPlaces;
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
 * Calls at the places of a plan that are calls of the library, and around calls of methods that may be synchronized, whose monitors are places: such a method has its
 * monitor in all of its own code. As {@link dev.regiontrack.instrument.accesses.SteeredAccesses} they are outside of all hooks.
 */
public final class SteeredCalls implements Concern {
    /** Which of these a call does shows only when it has been made. */
    private static final Set<String> ACTIONS = Set.of("read", "write", "acquire", "release");

    /** What calls of the library do to locks, by the names of their methods. */
    private static final Map<String, String> LOCKS =
            Map.of("lock", "acquire", "lockInterruptibly", "acquire", "tryLock", "acquire", "unlock", "release");

    private final MethodCode code;
    private final SteeredPlaces places;

    public SteeredCalls(MethodCode code, SteeredPlaces places) {
        this.code = code;
        this.places = places;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (!(insn instanceof MethodInsnNode) || ((MethodInsnNode) insn).name.startsWith("<")) {
            return;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        List<Place> at = places.areAny() ? at(call) : List.of();
        InsnList before = places.before(at);
        List<Place> entered = places.entered(call);
        boolean isStatic = call.getOpcode() == INVOKESTATIC;
        List<Place> left = places.left(call);
        boolean hasObject = !isStatic && (SteeredPlaces.needObject(at) || !left.isEmpty());
        if (isStatic) {
            before.add(places.calls(entered, false));
        } else if (hasObject || !entered.isEmpty()) {
            before.add(lookAtReceiver(call, entered, hasObject));
        }
        InsnList after = places.returned(call, left);
        after.add(places.after(at, hasObject, false));
        code.before(call, before);
        code.after(call, after);
    }

    /** A trace tells of a lock of the library as of a monitor: without the call, whose class can be one of the program's that extends the library's. */
    private List<Place> at(MethodInsnNode call) {
        List<Place> at = new ArrayList<>(places.of(call, call.name + "()", ACTIONS));
        if (LOCKS.containsKey(call.name)) {
            at.addAll(places.of(call, "", Set.of(LOCKS.get(call.name))));
        }
        return at;
    }

    /** The arguments are moved away from above it, and back. */
    private InsnList lookAtReceiver(MethodInsnNode call, List<Place> entered, boolean isKept) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        int first = code.scratch(size);
        InsnList list = LibraryCalls.away(types, first);                                     // r
        list.add(places.calls(entered, true));                                               // r
        if (isKept) {
            list.add(list(new InsnNode(DUP), new VarInsnNode(ASTORE, places.object())));     // r
        }
        list.add(LibraryCalls.back(types, first));                                           // r args
        return list;
    }
}
