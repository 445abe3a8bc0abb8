package dev.regiontrack.instrument.classes;

import dev.regiontrack.instrument.calls.Hierarchy;
import dev.regiontrack.instrument.calls.Models;
import dev.regiontrack.instrument.code.SteeredPlaces;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.profile.Origins;
import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.models.ModelTable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Whether a method has any places with hooks, where a profile leaves most out: checking takes less time than instrumenting it. */
final class HookedPlaces {
    private final Watching watching;
    private final MethodNode method;
    private final Hierarchy hierarchy;
    private final Origins origins;
    private final boolean isBlock;
    private final Accesses variables;
    private final boolean hasAccesses;
    private final boolean isSteered;

    HookedPlaces(Watching watching, ClassNode type, MethodNode method, boolean isAtomic, Accesses variables, Hierarchy hierarchy) {
        this.watching = watching;
        this.method = method;
        this.hierarchy = hierarchy;
        origins = watching.origins(type, method);
        isBlock = isAtomic && watching.watchesBlock(method);
        this.variables = variables;
        hasAccesses = !variables.of(method).isEmpty();
        isSteered = SteeredPlaces.areIn(type, method);
    }

    boolean areAny() {
        boolean isLocked = (method.access & Opcodes.ACC_SYNCHRONIZED) != 0 && watching.watchesLock((method.access & Opcodes.ACC_STATIC) != 0);
        if (isBlock || hasAccesses || isSteered || isLocked || watching.watchesMonitors(origins, method)) {
            return true;
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof MethodInsnNode && isHooked((MethodInsnNode) insn)) {
                return true;
            }
        }
        return false;
    }

    private boolean isHooked(MethodInsnNode call) {
        String kind = ModelTable.kind(call.name);
        boolean canHaveModel = kind != null && (ModelledCalls.isOperation(call) || hierarchy.canInherit(call));
        boolean hasArgument = ModelledCalls.argument(call) != null && watching.watchesCall(origins, call, "read");
        return hasArgument || canHaveModel && watching.watchesCall(origins, call, kind) || Models.of(call) != null
            || variables.mustAskReceiver(method, call);
    }
}
