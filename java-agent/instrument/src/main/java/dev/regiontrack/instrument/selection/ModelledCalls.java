package dev.regiontrack.instrument.selection;

import dev.regiontrack.runtime.models.ModelTable;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls can be ones of methods that have a model, as far as the instruction shows. */
public final class ModelledCalls {
    private static final String PLATFORM = "java/";
    /** Methods that most classes have, and that too many calls are of. */
    private static final Set<String> OF_EVERY_CLASS = Set.of("equals", "hashCode", "toString");

    private ModelledCalls() {
    }

    /** True if the call can be one of a method that has a model. */
    public static boolean isOperation(MethodInsnNode call) {
        return ModelTable.kind(call.name) != null && call.getOpcode() != Opcodes.INVOKESTATIC && !call.name.equals("<init>")
            && (call.owner.startsWith("java/util/") || ModelTable.hasModel(call.owner.replace('/', '.')));
    }

    /** True if the call may be one of a method that has a model, as far as it shows. */
    public static boolean canBeOperation(MethodInsnNode call) {
        return isOperation(call) || hasShape(call);
    }

    /** True if a class of the platform that has a model can have such a method, and the declared receiver is no class of the platform. */
    public static boolean hasShape(MethodInsnNode call) {
        boolean isAbove = call.getOpcode() == Opcodes.INVOKESPECIAL && !call.itf && !call.name.equals("<init>");
        boolean isSelected = call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE || isAbove;
        return isSelected && ModelTable.kind(call.name) != null && !OF_EVERY_CLASS.contains(call.name) && call.owner.charAt(0) != '['
            && !call.owner.startsWith(PLATFORM) && namesOnlyPlatform(call.desc);
    }

    /** True if a class with this internal name is one of a library whose models are shipped. */
    public static boolean isOfLibrary(String owner) {
        return owner.startsWith("com/google/common/") || owner.startsWith("com/github/benmanes/caffeine/");
    }

    private static boolean namesOnlyPlatform(String desc) {
        for (int i = 0; i < desc.length(); i++) {
            if (desc.charAt(i) == 'L') {
                if (!desc.startsWith(PLATFORM, i + 1)) {
                    return false;
                }
                i = desc.indexOf(';', i);
            }
        }
        return true;
    }
}
