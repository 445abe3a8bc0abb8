package dev.regiontrack.instrument.calls;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.models.ModelTable;
import dev.regiontrack.runtime.sites.ClassInfo;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which calls can have a model though their declared receiver is a class of the program: the class can extend one of the platform. No class of the program is
 * loaded to find that out. Where the superclasses are not known yet, the hook finds out at the first call ({@code OperationHooks.inherited}).
 */
public final class Hierarchy {
    private static final String PLATFORM = "java/";
    /** A class file can say that two interfaces extend each other. */
    private static final int DEEPEST = 16;

    private final ClassLoader loader;
    private final ClassNode type;

    /** As the code of a class sees it. */
    public Hierarchy(ClassLoader loader, ClassNode type) {
        this.loader = loader;
        this.type = type;
    }

    /** True if the call can have a model by what its declared receiver inherits. */
    public boolean canInherit(MethodInsnNode call) {
        return ModelledCalls.hasShape(call) && (call.itf ? canBeOfPlatform(call.owner, 0) : canExtend(call.owner));
    }

    private boolean canExtend(String owner) {
        String name = owner;
        while (name != null && !name.startsWith(PLATFORM)) {
            name = name.equals(type.name) ? type.superName : ClassInfo.superclass(loader, name.replace('/', '.'));
        }
        // Not java.lang.Object, nor anything else on which no model is built.
        return name == null || ModelTable.extendsModel(name.replace('/', '.'));
    }

    /** True if an interface of the program is one of the platform with more methods, as far as is known; {@code depth} is how many interfaces are below it. */
    private boolean canBeOfPlatform(String owner, int depth) {
        if (owner.startsWith(PLATFORM)) {
            return ModelTable.isOfModels(owner.replace('/', '.'));
        }
        String[] above = owner.equals(type.name) ? type.interfaces.toArray(new String[0]) : ClassInfo.interfaces(loader, owner.replace('/', '.'));
        boolean canBe = above == null || depth == DEEPEST;
        for (int i = 0; !canBe && i < above.length; i++) {
            canBe = canBeOfPlatform(above[i], depth + 1);
        }
        return canBe;
    }
}
