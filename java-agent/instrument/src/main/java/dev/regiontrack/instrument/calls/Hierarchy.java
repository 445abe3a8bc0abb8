package dev.regiontrack.instrument.calls;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.instrument.selection.TaskClasses;
import dev.regiontrack.runtime.models.ModelTable;
import dev.regiontrack.runtime.sites.ClassInfo;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Decides which calls can have a model though their declared receiver is a class of the program: the class may extend one of the platform, or one in
 * the table. No class of the program is loaded for this. Where the superclasses are not known yet, the hook decides at the first call
 * ({@code OperationHooks.inherited}).
 */
public final class Hierarchy {
    private static final String PLATFORM = "java/";
    /** A class file can claim that two interfaces extend each other. */
    private static final int DEEPEST = 16;

    private final ClassLoader loader;
    private final ClassNode type;

    /** The hierarchy as the code of a class sees it. */
    public Hierarchy(ClassLoader loader, ClassNode type) {
        this.loader = loader;
        this.type = type;
    }

    /** Whether the call can have a model by what its declared receiver inherits. */
    public boolean canInherit(MethodInsnNode call) {
        return ModelledCalls.hasShape(call) && (call.itf ? canBeOfModel(call.owner, 0, isUnknownOne(call)) : canExtend(call.owner, isUnknownOne(call)));
    }

    /** The assumption about an unknown class: a method that only libraries have is one of theirs. */
    private static boolean isUnknownOne(MethodInsnNode call) {
        return !ModelTable.isOfLibraries(call.name) || ModelTable.isOfLibrary(call.owner.replace('/', '.'));
    }

    private boolean canExtend(String owner, boolean isUnknownOne) {
        String name = owner;
        boolean isModel = false;
        while (name != null && !name.startsWith(PLATFORM) && !isModel) {
            isModel = ModelTable.hasModel(name.replace('/', '.')) || hasInterfaceOfModel(name, isUnknownOne);
            name = name.equals(type.name) ? type.superName : ClassInfo.superclass(loader, name.replace('/', '.'));
        }
        // Not java.lang.Object, nor anything else on which no model is built.
        return isModel || (name == null ? isUnknownOne : extendsModel(name.replace('/', '.')));
    }

    private static boolean extendsModel(String name) {
        TaskClasses.load(name);
        return ModelTable.extendsModel(name);
    }

    /** Whether a class has a known interface that is in the table. */
    private boolean hasInterfaceOfModel(String owner, boolean isUnknownOne) {
        String[] above = interfaces(owner);
        for (int i = 0; above != null && i < above.length; i++) {
            if (isNamed(above[i], 1, isUnknownOne)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the interface, or one above it, is in the table; for an unknown one outside the platform, {@code isUnknownOne}. */
    private boolean isNamed(String owner, int depth, boolean isUnknownOne) {
        boolean isFound = ModelTable.hasModel(owner.replace('/', '.'));
        String[] above = isFound || owner.startsWith(PLATFORM) ? new String[0] : interfaces(owner);
        boolean isNamed = isFound || (above == null ? isUnknownOne && ModelTable.hasInterfaces() : depth == DEEPEST);
        for (int i = 0; !isNamed && above != null && i < above.length; i++) {
            isNamed = isNamed(above[i], depth + 1, isUnknownOne);
        }
        return isNamed;
    }

    private String[] interfaces(String owner) {
        return owner.equals(type.name) ? type.interfaces.toArray(new String[0]) : ClassInfo.interfaces(loader, owner.replace('/', '.'));
    }

    /**
     * Whether an interface of the program extends one of the platform, or of the table, as far as is known; {@code depth} is how many interfaces are
     * below it.
     */
    private boolean canBeOfModel(String owner, int depth, boolean isUnknownOne) {
        boolean isNamed = ModelTable.hasModel(owner.replace('/', '.'));
        if (isNamed || owner.startsWith(PLATFORM)) {
            return isNamed || ModelTable.isOfModels(owner.replace('/', '.'));
        }
        String[] above = interfaces(owner);
        boolean canBe = above == null ? isUnknownOne : depth == DEEPEST;
        for (int i = 0; !canBe && above != null && i < above.length; i++) {
            canBe = canBeOfModel(above[i], depth + 1, isUnknownOne);
        }
        return canBe;
    }
}
