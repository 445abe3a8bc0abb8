package dev.regiontrack.instrument.flow;

import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * What the constructors of a class do with the object.
 *
 * <p>Some keep it nowhere: they do not pass, store, return or capture it, except in the call of one other constructor, of the same class or the
 * superclass. If all up to {@link Object} do so, only the method that allocated the object can reach it.
 *
 * <p>Some fields are written by constructors alone, while no other thread can reach the object: these are as good as final, and accesses to them are
 * no events. A thread that reads one has got the object from somewhere, and is ordered after the writes by that.
 * {@code analysis-core/src/filter/constructed.rs} has the argument.
 */
public final class Constructors {
    private static final String OBJECT = "java/lang/Object";
    /** For tests, which compare the findings with and without. */
    private static final boolean IS_ON = !"false".equals(System.getProperty("regiontrack.test.constructed"));

    private final ClassNode type;
    private final ClassLoader loader;
    /** By descriptor: the class and the descriptor of the constructor to which the object is passed. */
    private final Map<String, String> keeping = new HashMap<>();
    /** By method: what it does with the object. */
    private final Map<MethodNode, Uses> uses = new HashMap<>();
    private final Set<String> fields = new HashSet<>();

    private Constructors(ClassNode type, ClassLoader loader) {
        this.type = type;
        this.loader = loader;
    }

    public static Constructors of(ClassNode type, ClassLoader loader, ArrayMode mode, Passing passing) {
        Constructors result = new Constructors(type, loader);
        if (!hasFinalizer(type)) {
            for (MethodNode method : type.methods) {
                if (method.name.equals("<init>")) {
                    result.look(method, new ReferenceFlow(method, mode, passing));
                }
            }
            if (IS_ON) {
                result.findFields();
            }
        }
        return result;
    }

    /** Returns constructors of which nothing is known. */
    public static Constructors none(ClassNode type, ClassLoader loader) {
        return new Constructors(type, loader);
    }

    private static boolean hasFinalizer(ClassNode type) {
        for (MethodNode method : type.methods) {
            if (method.name.equals("finalize") && method.desc.equals("()V")) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns those that keep their object nowhere, by descriptor: the class and the descriptor of the constructor to which the object is passed.
     * Empty for a class with a finalizer, which another thread will call.
     */
    public Map<String, String> keeping() {
        return keeping;
    }

    /**
     * Returns private fields, by name and descriptor as in {@link ClassInfo#fields}, that only constructors write, before the object can be
     * reached from anywhere else.
     */
    public Set<String> fields() {
        return fields;
    }

    /** Returns the fields, in the same form, that methods other than constructors write. */
    public Set<String> writtenByMethods() {
        Set<String> result = new HashSet<>();
        for (MethodNode method : type.methods) {
            for (AbstractInsnNode insn : method.instructions) {
                if (insn.getOpcode() == Opcodes.PUTFIELD && !method.name.equals("<init>")) {
                    result.add(ClassInfo.field(((FieldInsnNode) insn).name, ((FieldInsnNode) insn).desc));
                }
            }
        }
        return result;
    }

    private void look(MethodNode method, ReferenceFlow flow) {
        Uses of = new Uses(flow.self());
        try {
            flow.run(type.name, of);
        } catch (AnalyzerException e) {
            // The verifier will refuse the code.
            return;
        }
        uses.put(method, of);
        if (!of.isKept && of.number == 1) {
            keeping.put(method.desc, of.next);
        }
    }

    private void findFields() {
        // Other classes of a nest can write private fields.
        if (type.nestHostClass != null || type.nestMembers != null) {
            return;
        }
        for (FieldNode field : type.fields) {
            if ((field.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL | Opcodes.ACC_STATIC | Opcodes.ACC_VOLATILE)) == Opcodes.ACC_PRIVATE) {
                fields.add(ClassInfo.field(field.name, field.desc));
            }
        }
        for (MethodNode method : type.methods) {
            Uses of = fields.isEmpty() ? null : uses.get(method);
            boolean isBefore = of != null && of.number == 1 && isKeptNowhere(of.next, 0);
            for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
                if (insn.getOpcode() == Opcodes.PUTFIELD && !(isBefore && of.own.contains(insn))) {
                    fields.remove(ClassInfo.field(((FieldInsnNode) insn).name, ((FieldInsnNode) insn).desc));
                } else if (insn instanceof LdcInsnNode && ((LdcInsnNode) insn).cst instanceof String) {
                    removeNamed((String) ((LdcInsnNode) insn).cst);
                }
            }
        }
    }

    /** A field's name can give a handle or an updater, which writes the field. */
    private void removeNamed(String name) {
        for (FieldNode field : type.fields) {
            if (field.name.equals(name)) {
                fields.remove(ClassInfo.field(field.name, field.desc));
            }
        }
    }

    /** Whether a constructor, given by its class and descriptor, keeps its object nowhere, nor does what it calls. A class file can have a cycle. */
    private boolean isKeptNowhere(String constructor, int depth) {
        int end = constructor.indexOf(' ');
        String owner = constructor.substring(0, end).replace('.', '/');
        String desc = constructor.substring(end + 1);
        if (owner.equals(OBJECT)) {
            return true;
        }
        if (!owner.equals(type.name)) {
            return ClassInfo.keepsNothing(loader, constructor);
        }
        return keeping.containsKey(desc) && depth < keeping.size() && isKeptNowhere(keeping.get(desc), depth + 1);
    }

    /** The uses of the object that is constructed. */
    private static final class Uses implements ReferenceFlow.Listener {
        private final int self;
        private int number;
        private String next;
        private boolean isKept;
        /** The writes of its fields before it can be reached from anywhere else, if the constructor that is called keeps it nowhere. */
        private final Set<AbstractInsnNode> own = new HashSet<>();

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

        @Override
        public void writes(FieldInsnNode insn, int source) {
            if (source == self) {
                own.add(insn);
            }
        }
    }
}
