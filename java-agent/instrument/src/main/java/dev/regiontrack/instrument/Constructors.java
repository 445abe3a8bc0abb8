package dev.regiontrack.instrument;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Which constructors of a class keep the object nowhere: they do not pass, store, return or capture it, but for the call of one other
 * constructor, of the same class or the one above. If all up to {@link Object} do so, only the method that
 * allocated the object can reach it.
 */
final class Constructors {
    private Constructors() {
    }

    /**
     * By descriptor: the class and the descriptor of the constructor that is called with the object. Empty for a class with a finalizer, which
     * another thread will call.
     */
    static Map<String, String> of(ClassNode type, ArrayMode mode, Passing passing) {
        Map<String, String> result = new HashMap<>();
        for (MethodNode method : type.methods) {
            if (method.name.equals("finalize") && method.desc.equals("()V")) {
                return Map.of();
            }
            String next = method.name.equals("<init>") ? next(type, method, new ReferenceFlow(method, mode, passing)) : null;
            if (next != null) {
                result.put(method.desc, next);
            }
        }
        return result;
    }

    private static String next(ClassNode type, MethodNode method, ReferenceFlow flow) {
        Uses calls = new Uses(flow.self());
        try {
            flow.run(type.name, calls);
        } catch (AnalyzerException e) {
            // What the verifier will refuse.
            return null;
        }
        return calls.isKept || calls.number != 1 ? null : calls.next;
    }

    /** What is done with the object that is constructed. */
    private static final class Uses implements ReferenceFlow.Listener {
        private final int self;
        private int number;
        private String next;
        private boolean isKept;

        Uses(int self) {
            this.self = self;
        }

        @Override
        public void leaves(AbstractInsnNode insn, int source, int above, int size, boolean isLast) {
            isKept |= source == self;
        }

        @Override
        public void leavesUnknown(int source) {
            isKept |= source == self;
        }

        @Override
        public void constructs(MethodInsnNode call, int source) {
            if (source == self) {
                number++;
                next = call.owner.replace('/', '.') + ' ' + call.desc;
            }
        }
    }
}
