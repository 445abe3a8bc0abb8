package dev.regiontrack.instrument;

import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Which classes are instrumented, and which of their methods are atomic. */
interface MethodFilter {
    /** True if classes of this name, in internal form, are to be instrumented. */
    boolean includes(String internalName);

    /** For each method of the class, in its order, whether it is atomic. */
    boolean[] atomic(ClassNode type);

    /** The specification that is used without a file: every method but those that are hardly meant to be atomic. */
    final class Default implements MethodFilter {
        @Override
        public boolean includes(String internalName) {
            return true;
        }

        @Override
        public boolean[] atomic(ClassNode type) {
            boolean[] result = new boolean[type.methods.size()];
            for (int i = 0; i < result.length; i++) {
                result[i] = isAtomic(type.methods.get(i));
            }
            return result;
        }

        private static boolean isAtomic(MethodNode method) {
            int hidden = org.objectweb.asm.Opcodes.ACC_SYNTHETIC | org.objectweb.asm.Opcodes.ACC_BRIDGE;
            if ((method.access & hidden) != 0) {
                return false;
            }
            switch (method.name) {
                case "<clinit>": return false;
                case "main": return !method.desc.equals("([Ljava/lang/String;)V");
                case "run": return !method.desc.startsWith("()");
                case "call": return !method.desc.startsWith("()");
                default: return true;
            }
        }
    }
}
