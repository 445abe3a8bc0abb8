package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.runtime.steering.Place;
import java.util.List;
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
        List<Place> at = places.areAny() ? places.of(call, call.name + "()", ACTIONS) : List.of();
        InsnList before = places.before(at);
        before.add(places.around(call, true));
        boolean hasObject = call.getOpcode() != INVOKESTATIC && SteeredPlaces.needObject(at);
        if (hasObject) {
            before.add(keepReceiver(call));
        }
        InsnList after = places.after(at, hasObject, false);
        after.add(places.around(call, false));
        code.before(call, before);
        code.after(call, after);
    }

    private InsnList keepReceiver(MethodInsnNode call) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        int first = code.scratch(size);
        InsnList list = LibraryCalls.away(types, first);                                     // r
        list.add(list(new InsnNode(DUP), new VarInsnNode(ASTORE, places.object())));         // r
        list.add(LibraryCalls.back(types, first));                                           // r args
        return list;
    }
}
