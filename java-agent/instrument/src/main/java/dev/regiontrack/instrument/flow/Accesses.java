package dev.regiontrack.instrument.flow;

import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.profile.Watching;
import dev.regiontrack.instrument.selection.ArrayMode;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.sites.ClassInfo;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Finds which instructions of a class's methods are accesses to variables. */
public final class Accesses {
    private final ClassNode type;
    private final ArrayMode arrays;
    private final Watching watching;
    /** The class's own fields that are final, or as good as final ({@link Constructors}). */
    private final Set<String> constants;
    /** The names of the class's own fields that are not constant, which need no further look. */
    private final Set<String> variableNames = new HashSet<>();
    private final Variables variables;
    private final Callees callees;
    private Harmless harmless;
    private Questions questions = new Questions();

    /** Made before any of the class's methods has hooks. */
    public Accesses(ClassNode type, ArrayMode arrays, Set<String> constructed, Watching watching) {
        this(type, arrays, constructed, watching, null);
    }

    /** Returns the accesses of a smaller part of the class, at a later time. */
    public Accesses less(Watching kept) {
        Accesses result = new Accesses(type, arrays, Set.of(), kept, callees);
        result.harmless = harmless;
        return result;
    }

    private Accesses(ClassNode type, ArrayMode arrays, Set<String> constructed, Watching watching, Callees known) {
        this.watching = watching;
        this.type = type;
        this.arrays = arrays;
        constants = new HashSet<>(constructed);
        for (FieldNode field : type.fields) {
            if ((field.access & ACC_FINAL) != 0) {
                constants.add(ClassInfo.field(field.name, field.desc));
            }
        }
        findNames();
        variables = new Variables(type);
        callees = known == null ? new Callees(type, variables) : known;
    }

    private void findNames() {
        for (FieldNode field : type.fields) {
            if (!constants.contains(ClassInfo.field(field.name, field.desc))) {
                variableNames.add(field.name);
            }
        }
        // Code that was obfuscated can have several fields of a name.
        for (FieldNode field : type.fields) {
            if (constants.contains(ClassInfo.field(field.name, field.desc))) {
                variableNames.remove(field.name);
            }
        }
    }

    /** Returns the accesses of a method, in code order. */
    public Set<AbstractInsnNode> of(MethodNode method) {
        Set<AbstractInsnNode> result = new LinkedHashSet<>();
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (is(method, insn)) {
                result.add(insn);
            }
        }
        return result;
    }

    /** Whether a method has accesses. */
    boolean areAny(MethodNode method) {
        for (AbstractInsnNode insn = method.instructions.getFirst(); insn != null; insn = insn.getNext()) {
            if (is(method, insn)) {
                return true;
            }
        }
        return false;
    }

    private boolean is(MethodNode method, AbstractInsnNode insn) {
        boolean isAny = insn instanceof FieldInsnNode ? !isConstant((FieldInsnNode) insn) : isElement(insn.getOpcode());
        return isAny && !Coverage.isAccess(insn) && isWatched(method, insn);
    }

    private boolean isWatched(MethodNode method, AbstractInsnNode insn) {
        // Finding the origins of references takes time, for each access in large methods.
        return watching.isWhole() || (insn instanceof FieldInsnNode ? watching.watchesField((FieldInsnNode) insn)
            : watching.watchesElements(watching.origins(type, method), insn));
    }

    private boolean isElement(int op) {
        boolean isAny = op >= IALOAD && op <= SALOAD || op >= IASTORE && op <= SASTORE;
        return arrays == ArrayMode.ALL ? isAny : arrays == ArrayMode.REFS && (op == AALOAD || op == AASTORE);
    }

    /** Returns what is known of which accesses are of one variable. */
    Variables variables() {
        return variables;
    }

    /** Returns the methods whose code can replace their calls. */
    Callees callees() {
        return callees;
    }

    /** Whether a read of a field is an access, in any method of the class. */
    boolean isFieldAccess(FieldInsnNode insn) {
        return !isConstant(insn) && !Coverage.isAccess(insn) && watching.watchesField(insn);
    }

    /** Inspects what methods do, before any of them is changed. */
    public void lookAtMethods() {
        harmless();
    }

    /**
     * Whether this is a call that a profile leaves out, but before which a critical section of the class must know the class of its receiver or
     * argument: one of the program may write. In dependency mode alone; elsewhere a section writes from its start.
     */
    public boolean mustAskReceiver(MethodInsnNode call) {
        return !watching.isWhole() && Session.takesReaders() && harmless().reliesOnHook(call);
    }

    /** The same for a call in a method that may have no other hooks. */
    public boolean mustAskReceiver(MethodNode method, MethodInsnNode call) {
        return !watching.isWhole() && Session.takesReaders() && harmless().reliesOnHook(method, call);
    }

    /** Returns where the methods have hooks that matter while they are asked; none before that is known. */
    public Questions questions() {
        return questions;
    }

    /** Called once they are known. */
    public void setQuestions(Questions found) {
        questions = found;
    }

    /** Returns what is known of which instructions change nothing. */
    Harmless harmless() {
        if (harmless == null) {
            harmless = new Harmless(type, callees.areActs());
        }
        return harmless;
    }

    /** Whether the field is the class's own and does not change once its object is made. */
    boolean isConstant(FieldInsnNode insn) {
        return insn.owner.equals(type.name) && !variableNames.contains(insn.name) && constants.contains(ClassInfo.field(insn.name, insn.desc));
    }
}
