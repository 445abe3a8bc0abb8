package dev.regiontrack.instrument.calls;

import static dev.regiontrack.instrument.code.MethodCode.OBJECT;
import static dev.regiontrack.instrument.code.MethodCode.T;
import static dev.regiontrack.instrument.code.MethodCode.list;
import static org.objectweb.asm.Opcodes.*;

import dev.regiontrack.instrument.RuntimeNames;
import dev.regiontrack.instrument.code.Concern;
import dev.regiontrack.instrument.code.Locals;
import dev.regiontrack.instrument.code.MethodCode;
import dev.regiontrack.instrument.code.SiteList;
import dev.regiontrack.instrument.flow.Accesses;
import dev.regiontrack.instrument.flow.Sections;
import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.models.ModelTable;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Hooks around calls of the platform's library that can have a model: selected by the method's name here, and by the receiver's class at run time.
 *
 * <p>A step of an iterator that throws because others have changed the collection has still looked at it, and so has a call that has not found what
 * it was to return. In an atomic method its operation stays where the handler for exceptions finds it
 * ({@link dev.regiontrack.instrument.classes.Brackets}).
 *
 * <p>The receiver stays on the stack, so that the JVM's messages about null pointers do not change; the arguments are moved to locals and back.
 */
public final class LibraryCalls implements Concern {
    /** Steps of iterators: they look at the collection, and may then fail because others have changed it. */
    private static final Set<String> STEPS = Set.of("next", "previous", "nextElement");
    /**
     * Methods without parameters that look at the receiver, and may then fail because they have not found what they are to return, or because others
     * have changed the receiver.
     */
    private static final Set<String> LOOKS = Set.of("remove", "element", "pop", "peek", "getFirst", "getLast", "removeFirst", "removeLast", "first", "last", "firstKey", "lastKey",
        "firstElement", "lastElement");
    /** The same for methods whose first parameter is an index. */
    private static final Set<String> OF_INDEX = Set.of("get", "set", "add", "addAll", "remove", "elementAt", "setElementAt", "insertElementAt", "removeElementAt", "listIterator", "subList",
        "charAt", "setCharAt", "deleteCharAt", "codePointAt");
    /** Fails only for a negative index, whatever its contents. */
    private static final String BITS = "java/util/BitSet";

    /** Methods that change a range of bits or characters. */
    private static final Set<String> RANGES = Set.of("set", "clear", "flip", "delete");
    private static final String READ = "read";

    private final MethodCode code;
    private final Hierarchy hierarchy;
    private final boolean isInBlock;
    private final boolean hasBegun;
    private final Set<AbstractInsnNode> own;
    private final Sections sections;
    private final Accesses variables;

    /**
     * Made before the method has hooks. {@code hasBegun} if its own hooks show that its thread makes an event; {@code own} are the calls of objects
     * that no other thread can reach ({@link dev.regiontrack.instrument.flow.OwnObjects}).
     */
    public LibraryCalls(MethodCode code, Hierarchy hierarchy, boolean isInBlock, boolean hasBegun, Set<AbstractInsnNode> own, Sections sections,
        Accesses variables) {
        this.sections = sections;
        this.variables = variables;
        this.hasBegun = hasBegun;
        this.own = own;
        this.code = code;
        this.hierarchy = hierarchy;
        this.isInBlock = isInBlock;
    }

    @Override
    public void visit(AbstractInsnNode insn, FrameNode frame) {
        if (!(insn instanceof MethodInsnNode)) {
            return;
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        ModelTable.Argument argument = ModelledCalls.argument(call);
        if (argument != null && code.watching.watchesCall(code.origins, call, READ)) {
            if (hasRoom(true) && ModelledCalls.isOfTwo(call)) {
                aroundTwo(call);
            } else if (!code.isTooLarge()) {
                aroundArgument(call, argument);
            }
            return;
        }
        String kind = ModelTable.kind(call.name);
        boolean isOwn = own.contains(call);
        boolean passes = isOwn && ModelledCalls.passesShared(call);
        boolean isAsked = !isOwn && !code.isTooLarge() && variables.mustAskReceiver(call);
        if (kind == null && !isAsked || isOwn && hasBegun && !passes) {
            return;
        }
        if (argument != null || !code.watching.watchesCall(code.origins, call, kind)) {
            if (isAsked) {
                ask(call, argument);
            }
            return;
        }
        if (ModelledCalls.isOperation(call)) {
            if (hasRoom(ModelledCalls.isOfModel(call))) {
                around(call, kind, passes ? "beforeOwnPassing" : isOwn ? "beforeOwn" : "before");
            }
        } else if (!code.isTooLarge() && hierarchy.canInherit(call)) {
            around(call, kind, "inherited");
        }
    }

    /** Returns false if the method is too large for hooks, which is counted if the call is known to have a model. */
    private boolean hasRoom(boolean hasModel) {
        if (code.isTooLarge() && hasModel && !code.isCopy()) {
            code.sites.leave();
        }
        return !code.isTooLarge();
    }

    private void around(MethodInsnNode call, String kind, String before) {
        code.addOperation();
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        for (Type type : types) {
            size += type.getSize();
        }
        int scratch = code.scratch(1 + size);
        Locals.Use failing = isInBlock ? failing(call, types) : null;
        int operation = failing == null ? scratch : code.local(failing);
        int first = scratch + 1;
        InsnList away = away(types, first);
        InsnList back = back(types, first);
        String field = code.isTooLarge() ? null : code.origins.fieldOf(call);
        int site = code.sites.operation(code.method, code.line(call), call, sections.begins(call) ? SiteList.SECTION : kind, field,
            code.watching.call(code.origins, call, kind));
        int position = ModelledCalls.position(call);
        if (position >= 0) {
            code.sites.argument(code.method, code.line(call), call, code.isTooLarge() ? null : code.origins.fieldOfArgument(call), code.watching.argument(code.origins, call));
        }
        int key = Math.max(position, 0);
        boolean hasKey = types.length > key && isReference(types[key]);
        int keyLocal = first;
        for (int i = 0; i < key; i++) {
            keyLocal += types[i].getSize();
        }
        away.add(new InsnNode(DUP));                                                                          // r r
        away.add(hasKey ? new VarInsnNode(ALOAD, keyLocal) : new InsnNode(ACONST_NULL));                       // r r k
        String number = isRange(call, types) ? range(first, away) : number(types, first, away);                                                   // r r k [n]
        away.add(list(code.loadState(), code.sites.push(code.instructions, site)));                           // r r k [n] t s
        // The method of a superclass is called, whatever the receiver's class has. For an interface, the hook checks whether it is one of the
        // platform's.
        boolean isNamed = call.getOpcode() == INVOKESPECIAL || before.equals("inherited") && call.itf;
        String above = isNamed ? call.owner.replace('/', '.') + ' ' : "";
        away.add(new LdcInsnNode(ModelTable.method(above + call.name + call.desc)));                          // r r k [n] t s m
        away.add(hook(before, "(" + OBJECT + OBJECT + number + T + "II)" + OBJECT));                        // r o
        away.add(new VarInsnNode(ASTORE, operation));                                                         // r
        if (hasKey && key == 0 && types.length > 1 && types.length < 4 && isReference(types[1]) && ModelTable.tellsOrder(call.name)) {
            int third = types.length > 2 && isReference(types[2]) ? first + 2 : -1;
            away.add(new VarInsnNode(ALOAD, first + 1));                                                      // r v
            away.add(third < 0 ? new InsnNode(ACONST_NULL) : new VarInsnNode(ALOAD, third));                  // r v w
            away.add(new VarInsnNode(ALOAD, operation));                                                      // r v w o
            away.add(hook("with", "(" + OBJECT + OBJECT + OBJECT + ")V"));                                    // r
        }
        away.add(back);                                                                                       // r args
        code.before(call, away);
        after(call, operation, site);
    }

    /** Returns the local for the operation of a call that can fail by what it finds; null for others. */
    private static Locals.Use failing(MethodInsnNode call, Type[] types) {
        if (types.length == 0 && STEPS.contains(call.name)) {
            return Locals.Use.STEP;
        }
        boolean looks = types.length == 0 ? LOOKS.contains(call.name) : types[0].getSort() == Type.INT && OF_INDEX.contains(call.name) && !call.owner.equals(BITS);
        return looks ? Locals.Use.LOOK : null;
    }

    /**
     * Before a call that a profile leaves out: a critical section that has only read so far writes if the receiver, or the argument, is of a class of
     * the program.
     */
    private void ask(MethodInsnNode call, ModelTable.Argument argument) {
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        int local = 0;
        for (int i = 0; i < types.length; i++) {
            local = argument != null && i == argument.position ? size : local;
            size += types[i].getSize();
        }
        int first = code.scratch(size);
        InsnList before = away(types, first);
        before.add(argument == null ? new InsnNode(DUP) : new VarInsnNode(ALOAD, first + local));             // [r] a
        before.add(list(code.loadState(), new LdcInsnNode(argument == null ? ModelTable.method(call.name + call.desc) : argument.method)));  // [r] a t m
        before.add(hook(argument == null ? "ask" : "askArgument", "(" + OBJECT + T + "I)V"));                 // [r]
        before.add(back(types, first));                                                                       // [r] args
        code.before(call, before);
    }

    /** Adds hooks around a call that acts on one of its arguments, not on a receiver. */
    private void aroundArgument(MethodInsnNode call, ModelTable.Argument argument) {
        code.addOperation();
        Type[] types = Type.getArgumentTypes(call.desc);
        int size = 0;
        int local = 0;
        for (int i = 0; i < types.length; i++) {
            local = i == argument.position ? size : local;
            size += types[i].getSize();
        }
        int operation = code.scratch(1 + size);
        String field = code.isTooLarge() ? null : code.origins.fieldOf(call);
        int site = code.sites.operation(code.method, code.line(call), call, READ, field, code.watching.call(code.origins, call, READ));
        InsnList before = away(types, operation + 1);
        before.add(list(new VarInsnNode(ALOAD, operation + 1 + local), code.loadState()));                    // a t
        before.add(code.sites.push(code.instructions, site));                                                 // a t s
        before.add(new LdcInsnNode(argument.method));                                                         // a t s m
        before.add(hook(argument.isIfTrue() ? "argumentIfTrue" : "argument", "(" + OBJECT + T + "II)" + OBJECT));                                      // o
        before.add(new VarInsnNode(ASTORE, operation));
        before.add(back(types, operation + 1));                                                               // args
        code.before(call, before);
        after(call, operation, site);
    }

    /** Adds hooks around a static method that acts on both of its arguments. The hook before it has its name. */
    private void aroundTwo(MethodInsnNode call) {
        code.addOperation();
        Type[] types = Type.getArgumentTypes(call.desc);
        int operation = code.scratch(1 + types.length);
        String field = code.isTooLarge() ? null : code.origins.fieldOf(call);
        int site = code.sites.operation(code.method, code.line(call), call, READ, field, code.watching.call(code.origins, call, READ));
        code.sites.argument(code.method, code.line(call), call, code.isTooLarge() ? null : code.origins.fieldOfArgument(call), code.watching.argument(code.origins, call));
        InsnList before = away(types, operation + 1);
        before.add(list(new VarInsnNode(ALOAD, operation + 1), new VarInsnNode(ALOAD, operation + 2)));       // a b
        before.add(list(code.loadState(), code.sites.push(code.instructions, site)));                         // a b t s
        before.add(hook(call.name, "(" + OBJECT + OBJECT + T + "I)" + OBJECT));                               // o
        before.add(new VarInsnNode(ASTORE, operation));
        before.add(back(types, operation + 1));                                                               // args
        code.before(call, before);
        after(call, operation, site);
    }

    /** Moves arguments to locals from {@code first} on. */
    static InsnList away(Type[] types, int first) {
        InsnList result = new InsnList();
        int at = first;
        for (Type type : types) {
            result.insert(new VarInsnNode(type.getOpcode(ISTORE), at));
            at += type.getSize();
        }
        return result;
    }

    /** Moves the arguments back. */
    static InsnList back(Type[] types, int first) {
        InsnList result = new InsnList();
        int at = first;
        for (Type type : types) {
            result.add(new VarInsnNode(type.getOpcode(ILOAD), at));
            if (isReference(type)) {
                // The local must not keep the argument from being collected.
                result.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, at)));
            }
            at += type.getSize();
        }
        return result;
    }

    /** Adds the hook after the call, with the call's result. */
    private void after(MethodInsnNode call, int operation, int site) {
        Type result = Type.getReturnType(call.desc);
        boolean isCount = result.getSort() == Type.INT && ModelTable.dependsOnNumber(call.name);
        boolean isLong = result.getSort() == Type.LONG;
        String of = isReference(result) ? OBJECT : result.getSort() == Type.BOOLEAN ? "Z" : isLong || isCount ? "J" : "";
        InsnList after = of.isEmpty() ? new InsnList() : list(new InsnNode(isLong ? DUP2 : DUP));             // v v
        if (isCount) {
            after.add(new InsnNode(I2L));
        }
        after.add(list(new VarInsnNode(ALOAD, operation), code.loadState()));                                 // v v o t
        after.add(code.sites.push(code.instructions, site));                                                  // v v o t s
        after.add(hook(sections.begins(call) ? "afterToRead" : "after", "(" + of + OBJECT + T + "I)V"));                                              // v
        after.add(list(new InsnNode(ACONST_NULL), new VarInsnNode(ASTORE, operation)));                       // v
        code.after(call, after);
    }

    /** Whether the first two arguments can be a range. An array of atomics has methods of the same names. */
    private static boolean isRange(MethodInsnNode call, Type[] types) {
        return RANGES.contains(call.name) && types.length > 1 && types[0].getSort() == Type.INT && types[1].getSort() == Type.INT
            && !call.owner.startsWith("java/util/concurrent/");
    }

    /** Pushes the first two integers, which are in locals from {@code at}: the first in the lower half, the second one plus one in the upper half. */
    private static String range(int at, InsnList into) {
        into.add(list(new VarInsnNode(ILOAD, at + 1), new InsnNode(I2L), new InsnNode(LCONST_1), new InsnNode(LADD), new IntInsnNode(BIPUSH, 32), new InsnNode(LSHL)));
        into.add(list(new VarInsnNode(ILOAD, at), new InsnNode(I2L), new InsnNode(LOR)));
        return "J";
    }

    /** Pushes the first integer among the first two arguments, which are in locals from {@code at}; returns the hook's type for it, empty if there is none. */
    private static String number(Type[] types, int at, InsnList into) {
        int local = at;
        for (int i = 0; i < 2 && i < types.length; i++) {
            if (types[i].getSort() == Type.LONG) {
                into.add(new VarInsnNode(LLOAD, local));
                return "J";
            }
            if (types[i].getOpcode(ILOAD) == ILOAD && types[i].getSort() != Type.BOOLEAN) {
                into.add(list(new VarInsnNode(ILOAD, local), new InsnNode(I2L)));
                return "J";
            }
            local += types[i].getSize();
        }
        return "";
    }

    private static boolean isReference(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }

    private static AbstractInsnNode hook(String name, String desc) {
        return MethodCode.call(RuntimeNames.OPERATION_HOOKS, name, desc);
    }
}
