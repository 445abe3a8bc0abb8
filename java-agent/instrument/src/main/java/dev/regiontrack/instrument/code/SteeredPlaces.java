package dev.regiontrack.instrument.code;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.flow.Borrowers;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.steering.Place;
import dev.regiontrack.runtime.steering.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The places of a plan ({@link Plan}) in one method, and the calls to the runtime there. A method without places gets no code.
 *
 * <p>Class initialisers have none, because other threads may wait for their end. In classes of the platform, only the body that the agent's own calls
 * do not run has them.
 */
public final class SteeredPlaces {
    /** The name of all fields of an object. */
    private static final String FIELDS = "*";
    private static final String STRING = "Ljava/lang/String;";

    private final MethodCode code;
    private final boolean isSteered;
    private final List<Place> places;

    public SteeredPlaces(MethodCode code) {
        this.code = code;
        isSteered = canBeSteered(code.method);
        places = isSteered ? in(code.type, code.sites, code.method) : List.of();
        if (code.isSynchronized() || (code.method.access & ACC_SYNCHRONIZED) != 0) {
            for (Place place : at(code.firstLine(), "", Set.of("acquire", "release"))) {
                Plan.foundCalled(place, code.method.desc);
                // A copy of the method, for calls that lend it an array, has the same lock.
                Plan.foundCalled(place, Borrowers.desc(code.method.desc));
                code.sites.steer();
                enter(place);
            }
        }
    }

    /** A synchronized method has passed the place where it takes its lock when its code begins. */
    private void enter(Place place) {
        if (place.action.equals("acquire") && place.isAfter()) {
            // What the prologue does is there if the method looks up the thread's state.
            code.loadState();
            code.prologue.add(passed(place, list(lock(), new InsnNode(ICONST_M1))));         // -
        }
    }

    /** Returns the lock of a synchronized method; null in a class file that is too old to have class constants. */
    private AbstractInsnNode lock() {
        if (!code.isStatic()) {
            return new VarInsnNode(ALOAD, 0);
        }
        return ownerOf(code.type.name);
    }

    private AbstractInsnNode ownerOf(String type) {
        return code.isSince(V1_5) ? new LdcInsnNode(Type.getObjectType(type)) : new InsnNode(ACONST_NULL);
    }

    private static boolean canBeSteered(MethodNode method) {
        return !method.name.equals("<clinit>") && Plan.isOn();
    }

    private static List<Place> in(ClassNode type, SiteList sites, MethodNode method) {
        List<Place> found = new ArrayList<>();
        for (Place place : Plan.in(type.name)) {
            if (isIn(place, SiteList.nameOf(method), SiteList.descOf(method))) {
                found.add(place);
            }
        }
        return found;
    }

    /** Whether a place of the method's class is in the method. */
    private static boolean isIn(Place place, String method, String desc) {
        return place.method.equals(method) && place.canHave(SiteText.parameters(desc));
    }

    /** Whether a method has places, or calls one whose monitor is a place. */
    public static boolean areIn(ClassNode type, MethodNode method) {
        if (!canBeSteered(method)) {
            return false;
        }
        for (Place place : Plan.in(type.name)) {
            if (isIn(place, SiteList.nameOf(method), SiteList.descOf(method))) {
                return true;
            }
        }
        for (AbstractInsnNode insn : method.instructions) {
            if (insn instanceof MethodInsnNode && !called((MethodInsnNode) insn).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the places whose monitor a call may enter or leave. */
    private static List<Place> called(MethodInsnNode call) {
        List<Place> found = new ArrayList<>();
        for (Place place : Plan.called(call.owner, call.name)) {
            if (place.canHave(SiteText.parameters(call.desc))) {
                found.add(place);
            }
        }
        return found;
    }

    /** Returns the places of an instruction by what it acts on and how; several actions if only its effect shows which it is. */
    public List<Place> of(AbstractInsnNode insn, String name, Set<String> actions) {
        List<Place> found = at(code.line(insn), name, actions);
        for (Place place : found) {
            Plan.found(place);
        }
        return found;
    }

    /** Returns the places of an instruction that stand for all fields of an object: those of one that a method has filled are one variable. */
    public List<Place> ofFields(AbstractInsnNode insn, Set<String> actions) {
        return of(insn, FIELDS, actions);
    }

    private List<Place> at(int line, String name, Set<String> actions) {
        if (places.isEmpty()) {
            return List.of();
        }
        int of = code.sites.lineOf(line);
        List<Place> found = new ArrayList<>();
        for (Place place : places) {
            if (place.line == of && place.name.equals(name) && actions.contains(place.action)) {
                found.add(place);
            }
        }
        return found;
    }

    /** Whether the method can have calls of the runtime at places: its own, or those of methods that it calls. */
    public boolean isSteered() {
        return isSteered;
    }

    /** Whether the method can have places itself. */
    public boolean areAny() {
        return !places.isEmpty();
    }

    // ---- the code at a place

    /** Returns the local for the object of an access. */
    public int object() {
        return reference(Locals.Use.STEERED);
    }

    /** Returns the local for an object that leaves its method by an access. */
    public int leaving() {
        return reference(Locals.Use.LEAVING);
    }

    private int reference(Locals.Use use) {
        if (!code.hasLocal(use)) {
            code.prologue.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, code.local(use))));   // -
        }
        return code.local(use);
    }

    /** Returns the local for the index of an access to an element. */
    public int element() {
        if (!code.hasLocal(Locals.Use.ELEMENT)) {
            code.prologue.add(list(new InsnNode(ICONST_M1), new VarInsnNode(ISTORE, code.local(Locals.Use.ELEMENT))));   // -
        }
        return code.local(Locals.Use.ELEMENT);
    }

    /** Whether something at one of these places needs the object. */
    public static boolean needObject(List<Place> places) {
        for (Place place : places) {
            if (place.needsObject()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the code before these places. */
    public InsnList before(List<Place> places) {
        InsnList list = new InsnList();
        for (Place place : places) {
            if (place.isBefore()) {
                list.add(call("before", "(I)V", place));                                     // -
            }
        }
        return list;
    }

    /** Returns the code right before an access at these places, with the object and the index in their locals. */
    public InsnList approaching(List<Place> places, boolean hasObject, boolean hasElement) {
        InsnList list = new InsnList();
        for (Place place : places) {
            if (place.isApproached()) {
                list.add(about(hasObject, hasElement));                                      // o i
                list.add(call("approaches", "(" + OBJECT + "II)V", place));                  // -
            }
        }
        return list;
    }

    /** Returns the code after a place; {@code about} loads the object and the index of the access. */
    public InsnList passed(Place place, InsnList about) {
        InsnList list = new InsnList();
        if (place.isAfter() && place.passesObject()) {
            list.add(about);                                                                 // o i
            list.add(call("passed", "(" + OBJECT + "II)V", place));                          // -
        } else if (place.isAfter()) {
            list.add(call("passed", "(I)V", place));                                         // -
        }
        return list;
    }

    /** Returns code that loads the object and the index of an access. */
    private InsnList about(boolean hasObject, boolean hasElement) {
        return list(hasObject ? new VarInsnNode(ALOAD, object()) : new InsnNode(ACONST_NULL),    // o
            hasElement ? new VarInsnNode(ILOAD, element()) : new InsnNode(ICONST_M1));       // o i
    }

    /** Returns the code after these places, with the object and the index of an access in their locals. */
    public InsnList after(List<Place> places, boolean hasObject, boolean hasElement) {
        InsnList list = new InsnList();
        for (Place place : places) {
            list.add(passed(place, about(hasObject, hasElement)));                           // -
        }
        if (hasObject) {
            list.add(forget());                                                              // -
        }
        return list;
    }

    /** The local must not keep the object from being collected. */
    public InsnList forget() {
        return list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, object()));           // -
    }

    /** Returns the places whose monitor a call may enter, before which something is to be done. */
    public List<Place> entered(MethodInsnNode call) {
        List<Place> found = new ArrayList<>();
        for (Place place : isSteered ? called(call) : List.<Place>of()) {
            // For other calls the receiver shows it.
            boolean canBe = call.getOpcode() != INVOKESTATIC || call.owner.replace('/', '.').equals(place.type);
            if (canBe && place.action.equals("acquire") && place.isBefore()) {
                found.add(place);
            }
        }
        return found;
    }

    /**
     * Returns the code before a call that may enter the monitor of these places; with {@code receiver}, the call's receiver is on the
     * stack, and stays there.
     */
    public InsnList calls(MethodInsnNode call, List<Place> places, boolean receiver) {
        InsnList list = new InsnList();
        for (Place place : places) {
            list.add(receiver ? new InsnNode(DUP) : new InsnNode(ACONST_NULL));              // [r] o
            list.add(new LdcInsnNode(call.desc));                                            // [r] o d
            list.add(call("calls", "(" + OBJECT + STRING + "I)V", place));                   // [r]
        }
        return list;
    }

    /** Returns the places whose monitor a call may leave, after which something is to be done. */
    public List<Place> left(MethodInsnNode call) {
        List<Place> found = new ArrayList<>();
        for (Place place : isSteered ? called(call) : List.<Place>of()) {
            if (place.action.equals("release") && place.isAfter()) {
                found.add(place);
            }
        }
        return found;
    }

    /** Returns the code after a call that may leave the monitor of these places; its receiver is in the local of the object, if it has one. */
    public InsnList returned(MethodInsnNode call, List<Place> places) {
        InsnList list = new InsnList();
        for (Place place : places) {
            boolean isStatic = call.getOpcode() == INVOKESTATIC;
            // A static method may be declared in a superclass, whose lock is not that of the class that the call names.
            boolean isKnown = !isStatic || call.owner.replace('/', '.').equals(place.type);
            list.add(!isKnown ? new InsnNode(ACONST_NULL) : isStatic ? ownerOf(call.owner) : new VarInsnNode(ALOAD, object()));   // l
            list.add(new LdcInsnNode(call.desc));                                            // l d
            list.add(call("returned", "(" + OBJECT + STRING + "I)V", place));                // -
        }
        return list;
    }

    private InsnList call(String name, String desc, Place place) {
        code.sites.steer();
        return list(new LdcInsnNode(place.number), MethodCode.call(RuntimeNames.STEERING, name, desc));
    }
}
