package dev.regiontrack.instrument.profile;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.models.ModelTable;
import dev.regiontrack.runtime.steering.Plan;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What is watched in one class: all of it, or what a profile has kept.
 *
 * <p>Hooks that are left out leave events out, which hides violations and invents none ({@code analysis-core/src/filter/guided.rs}). Hooks on which
 * the others rely stay in any class: forks and joins, waits, copies of objects.
 */
public final class Watching {
    private static final Watching EVERYTHING = new Watching(Guide.NONE, "", 0, 0);
    static final int WHOLE = 0;
    private static final int SLICE = 2;
    private static final int GUIDED = 1;
    /** Methods whose results rarely leave the calling method. */
    private static final Set<String> ITERATORS = Set.of("iterator", "listIterator", "spliterator", "stream", "parallelStream", "descendingIterator");
    /** The kind of a call of a lock. */
    private static final String LOCK = "monitor";

    private final Guide guide;
    private final String name;
    private final long checksum;
    private final int judgement;
    private final Map<MethodNode, Origins> origins = new IdentityHashMap<>();

    Watching(Guide guide, String name, long checksum, int judgement) {
        this.guide = guide;
        this.name = name;
        this.checksum = checksum;
        this.judgement = judgement;
    }

    /** Everything is watched, and nothing is learnt. */
    public static Watching everything() {
        return EVERYTHING;
    }

    /** Whether all of the class is watched. */
    public boolean isWhole() {
        return judgement == WHOLE || judgement == SLICE;
    }

    /** Whether the class is watched only as time allows: each method has two bodies. */
    public boolean isInBursts() {
        return judgement == SLICE;
    }

    /** Returns what is watched in the class outside of bursts. */
    public Watching outsideBursts() {
        return new Watching(guide, name, checksum, GUIDED);
    }

    /** Whether other classes may have no hooks, so that nothing can be left to a thread's next hook. */
    public boolean isPartOfRun() {
        return guide.isGuided();
    }

    /** Whether sites are to give the profile's names of their variables. */
    public boolean learns() {
        return guide.learns();
    }

    /** Returns the origins of the references in a method; must first be called before the method is changed. */
    public Origins origins(ClassNode type, MethodNode method) {
        if (this == EVERYTHING) {
            return Origins.of(type.name, method, false);
        }
        Origins known = origins.get(method);
        if (known == null) {
            known = mayHavePlaces(method) ? Origins.of(type.name, method, true) : Origins.UNKNOWN;
            origins.put(method, known);
        }
        return known;
    }

    /** False if no array, monitor or library object on which the method acts can be watched. */
    private boolean mayHavePlaces(MethodNode method) {
        if (isWhole() || actsOnItself() || guide.hasPlacesInMethod(Origins.method(name, method))) {
            return true;
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof MethodInsnNode && makesView(((MethodInsnNode) insn).owner, ((MethodInsnNode) insn).name)) {
                return true;
            }
            if (insn instanceof FieldInsnNode && guide.isOrigin(whole(((FieldInsnNode) insn).owner, ((FieldInsnNode) insn).name))) {
                return true;
            }
            Object constant = insn instanceof LdcInsnNode ? ((LdcInsnNode) insn).cst : null;
            if (constant instanceof Type && ((Type) constant).getSort() == Type.OBJECT && concernsClass(((Type) constant).getInternalName())) {
                return true;
            }
        }
        return false;
    }

    private static String whole(String owner, String member) {
        return owner.replace('/', '.') + '.' + member;
    }

    /** Whether accesses to a field have hooks. */
    public boolean watchesField(FieldInsnNode insn) {
        return isWhole() || guide.has("field", whole(insn.owner, insn.name)) || guide.hasName(insn.name) && !isKnown(insn.owner);
    }

    /** It is unknown what a class inherits that no run has seen. */
    private boolean isKnown(String owner) {
        return owner.startsWith("java/") || guide.has("class", owner.replace('/', '.'));
    }

    /** Whether accesses to elements of an array have hooks, by the origin of its reference. */
    public boolean watchesElements(Origins origins, AbstractInsnNode insn) {
        return isWhole() || guide.has("array", origins.at(insn));
    }

    /**
     * Whether a call of the library has hooks, if it can be one with a model: {@code kind} is what its name suggests. Only the call that has made a
     * view shows its collection, and that call may be in another method than the uses of the view.
     */
    public boolean watchesCall(Origins origins, MethodInsnNode call, String kind) {
        if (isWhole()) {
            return true;
        }
        if (ModelTable.canReturnView(call.name) && (makesViewOfLock(call.owner) || isUsedElsewhere(origins, call))) {
            return true;
        }
        boolean isOrdinary = !guide.canJoin(call.owner, call.itf, call.name);
        if (ModelledCalls.position(call) >= 0 && guide.has("call", origins.atArgument(call))) {
            return true;
        }
        return isOrdinary ? guide.has("call", origins.at(call)) : !kind.equals(LOCK) || guide.has("locks", "");
    }

    /**
     * Whether the view that a call returns leaves the method. A view that is kept in a field matters if calls by that field are watched; the method
     * was analysed then.
     */
    private boolean isUsedElsewhere(Origins origins, MethodInsnNode call) {
        return origins != Origins.UNKNOWN && guide.hasCalls() && !ITERATORS.contains(call.name) && origins.viewsLeave(call);
    }

    /** Whether a call can return a view that other methods use: of a lock, or of a collection if calls by parameters and results are watched. */
    private boolean makesView(String owner, String method) {
        return ModelTable.canReturnView(method) && (makesViewOfLock(owner) || guide.hasCallsByOtherMethods() && !ITERATORS.contains(method));
    }

    /** Whether a call that can return a view can be one of a watched lock. */
    private boolean makesViewOfLock(String owner) {
        return guide.has("locks", "") && (owner.startsWith("java/util/concurrent/locks/") || !owner.startsWith("java/"));
    }

    /** Whether the monitors that a method enters have hooks: all of them or none, so that entries match exits. */
    public boolean watchesMonitors(Origins origins, MethodNode method) {
        if (isWhole()) {
            return true;
        }
        boolean isAny = false;
        for (AbstractInsnNode insn : method.instructions) {
            isAny |= insn.getOpcode() == Opcodes.MONITORENTER && guide.has("monitor", origins.at(insn));
        }
        return isAny;
    }

    /** Whether a synchronized method has hooks for its lock. */
    public boolean watchesLock(boolean isStatic) {
        return isWhole() || guide.has("monitor", lock(isStatic));
    }

    private String lock(boolean isStatic) {
        return isStatic ? name + ".class" : name;
    }

    /** Whether a method is a block, if it is atomic. */
    public boolean watchesBlock(MethodNode method) {
        return isWhole() || guide.keepsEveryBlock() || guide.has("block", name + '.' + method.name + method.desc);
    }

    /**
     * Whether the class gets the field for shadows, if none of its superclasses has it: objects of this class or of a subclass have watched
     * variables.
     */
    public boolean needsShadow() {
        return isWhole() || guide.has("shadow", name);
    }

    // ---- the profile's names of the variables of sites; null if they are not needed

    /** Returns the name of a field, as the instruction names it. */
    public String field(FieldInsnNode insn) {
        return learns() ? "field " + whole(insn.owner, insn.name) : null;
    }

    /** Returns the name of an element, a monitor or a library object, by its kind. */
    public String place(String kind, Origins origins, AbstractInsnNode insn) {
        return learns() && origins != Origins.UNKNOWN ? kind + ' ' + origins.at(insn) : null;
    }

    /** Returns the name of a call: all locks of the library have one. */
    public String call(Origins origins, MethodInsnNode call, String kind) {
        boolean isLock = kind.equals(LOCK) && guide.canJoin(call.owner, call.itf, call.name);
        return isLock && learns() ? "locks " : place("call", origins, call);
    }

    /** Returns the name of the argument on which a call also acts. */
    public String argument(Origins origins, MethodInsnNode call) {
        return learns() && origins != Origins.UNKNOWN ? "call " + origins.atArgument(call) : null;
    }

    /** Returns the name of a synchronized method's lock. */
    public String ofLock(boolean isStatic) {
        return learns() ? "monitor " + lock(isStatic) : null;
    }

    // ---- the class as a whole

    /** False if nothing in the class can have hooks: its constant pool tells. */
    public boolean mayHaveHooks(ClassReader reader) {
        return isWhole() || guide.keepsEveryBlock() || guide.hasPlacesIn(name) || guide.has("shadow", name) || isSteered() || actsOnItself() || ConstantPool.of(reader).any(this);
    }

    /** Whether threads are steered at places in the class. */
    private boolean isSteered() {
        return !Plan.in(name.replace('.', '/')).isEmpty();
    }

    /** Reports to the bridge what was watched: the counts are those of the profile's line of a class, in that order. */
    public void tell(String superName, int... counts) {
        if (guide == Guide.NONE) {
            return;
        }
        StringBuilder text = new StringBuilder(name).append('\t').append(Long.toHexString(checksum)).append('\t');
        text.append(superName == null ? "" : superName.replace('/', '.'));
        for (int count : counts) {
            text.append('\t').append(count);
        }
        guide.tell(isWhole() ? NativeBridge.WHOLE : NativeBridge.KEPT, text.toString());
    }

    /** Whether objects of the class are locks or library objects, and are watched where their own methods act on them. */
    private boolean actsOnItself() {
        return guide.has("monitor", lock(false)) || guide.has("call", name);
    }

    /** Whether a constant that names a field is one that matters here. */
    boolean concerns(String owner, String field) {
        String whole = whole(owner, field);
        return guide.has("field", whole) || guide.isOrigin(whole) || guide.hasName(field) && !isKnown(owner);
    }

    /** Whether a constant that names a class is one whose lock matters. */
    boolean concernsClass(String type) {
        return guide.has("monitor", type.replace('/', '.') + ".class");
    }

    /** Whether a constant that names a method is one whose calls have hooks in any class, or one of a lock. */
    boolean concernsCall(String owner, boolean isInterface, String method) {
        boolean isWait = method.equals("wait") && owner.equals("java/lang/Object") || method.equals("timedWait") && owner.equals(ModelledCalls.TIME_UNIT);
        if (method.equals("clone") || isWait || ModelledCalls.canPark(owner, method)) {
            return true;
        }
        if (makesView(owner, method) || !Plan.called(owner, method).isEmpty()) {
            return true;
        }
        String kind = ModelTable.kind(method);
        return kind != null && guide.canJoin(owner, isInterface, method) && (!kind.equals(LOCK) || guide.has("locks", ""));
    }
}
