package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.hooks.Hooks;
import dev.regiontrack.runtime.hooks.Rounds;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.ConcurrentModificationException;
import java.util.EmptyStackException;
import java.util.NoSuchElementException;
import jdk.internal.vm.annotation.DontInline;

/**
 * The hooks around calls of the platform's library that have a model ({@link ModelTable}): an operation is an event on a variable of its receiver, or
 * on several. This class determines the kind of operation and the variable, before the call; what the operation does is in the subclasses of
 * {@link PendingOperation}. Some rare branches are not inlined: the second compiler would spend a third of a short run on all branches of each hook.
 */
public final class OperationHooks {
    /** The most calls of the library between the check that refuses an index and the method of a part of a list. */
    private static final int DEEPEST_PART = 5;

    private OperationHooks() {
    }

    /**
     * Before a call; the result is for the hook after it. {@code key} is the first argument, if that is a reference, or the one on which the call
     * also acts; {@code method} is from {@link ModelTable#method}. The sites follow each other: of a read, of a write, of a lock.
     */
    public static Object before(Object o, Object key, ThreadState t, int site, int method) {
        return before(o, key, -1, t, site, method);
    }

    /**
     * The same, if one of the first two arguments is an integer, perhaps an index; {@code number} is the first of those. If there are two that may be
     * a range, the second one plus one is in the upper half.
     */
    @DontInline
    public static Object before(Object o, Object key, long number, ThreadState t, int site, int method) {
        if (o == null) {
            return null;
        }
        try {
            Object of = o;
            ClassModel model = model(o.getClass(), t, method);
            // A wrapper that a call has returned as a view is known by itself.
            while (model.isWrapper() && ObjectTable.known(of, t, false) == null) {
                of = model.wrapped(of);
                model = model(of.getClass(), t, method);
            }
            Effect effect = model.of(method);
            if (effect.family != Effect.Family.ATOMIC) {
                // Only what happens in one step, while the variable is locked, can be tentative.
                Rounds.used(t);
            }
            if (!t.reading.isEmpty() && !(model.isOfPlatformAlone && effect.isReading())) {
                // By its name the call only reads; but the receiver's class may be the program's.
                Hooks.writes(t);
            }
            if (effect == Effect.NONE || model.isStream && !LastStream.hasAny() || model.fetches() && model.canHaveFetched(of)) {
                return null;
            }
            if (effect.idle != null && effect.idle.isNothing(o, of, key, number, method)) {
                return null;
            }
            PendingOperation operation = start(model, effect, of, key, number, t, site, effect.passed != null);
            if (operation == null) {
                // Whether a compareAndSet succeeds will not be seen.
                Rounds.used(t);
            }
            ModelledObject changed = operation == null ? null : operation.changed;
            if (effect.idle != null) {
                operation = Looking.of(operation, effect.idle, of, key, t);
            }
            if (effect.loads() && effect.part == Effect.Part.KEY) {
                operation = Loads.One.of(operation, of, key, t);
            }
            if (effect.passed != null) {
                operation = Passing.of(effect, operation, of, key, method, t, site + 2);
            }
            if (operation instanceof KeyAccess) {
                ((KeyAccess) operation).is(method);
            } else if (changed != null) {
                operation.changed = changed;
            }
            Probe.between(t);
            return operation;
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return null;
        }
    }

    /**
     * Before a call of an object that no other thread can reach: an event only if it may be the thread's first one, which shows that the thread did
     * something.
     */
    public static Object beforeOwn(Object o, Object key, ThreadState t, int site, int method) {
        Rounds.used(t);
        return t.forked == 0 ? null : before(o, key, -1, t, site, method);
    }

    /** The same, if one of the first two arguments is an integer. */
    public static Object beforeOwn(Object o, Object key, long number, ThreadState t, int site, int method) {
        Rounds.used(t);
        return t.forked == 0 ? null : before(o, key, number, t, site, method);
    }

    /** Before a call of an object that no other thread can reach, with an argument that others can reach. */
    public static Object beforeOwnPassing(Object o, Object key, ThreadState t, int site, int method) {
        return beforeOwnPassing(o, key, -1, t, site, method);
    }

    /** The same, if one of the first two arguments is an integer. */
    public static Object beforeOwnPassing(Object o, Object key, long number, ThreadState t, int site, int method) {
        if (t.forked != 0) {
            return before(o, key, number, t, site, method);
        }
        ModelTable.Argument[] passed = o == null || key == null ? null : model(o.getClass(), t, method).of(method).passed;
        return passed == null ? null : argument(key, t, site, passed[0].method);
    }

    /**
     * Before a constructor or a static method of the platform that does with this argument what a call of the argument by {@code method} does. For an
     * argument of the program's class, it is unknown which of its methods are called, and these have hooks of their own.
     */
    public static Object argument(Object o, ThreadState t, int site, int method) {
        if (o != null && isOfPlatform(o, t, method)) {
            return before(o, null, t, site, method);
        }
        Hooks.writes(t);
        return null;
    }

    /** The same for a method that does so only if it returns true; otherwise it is unknown. */
    public static Object argumentIfTrue(Object o, ThreadState t, int site, int method) {
        Object operation = argument(o, t, site, method);
        return operation == null ? null : new IfTrue((PendingOperation) operation, t);
    }

    /** Before {@code Collections.disjoint}. */
    public static Object disjoint(Object one, Object other, ThreadState t, int site) {
        try {
            return one == null || other == null ? null : Pair.disjoint(one, other, t, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return null;
        }
    }

    /** Before {@code Collections.copy}. */
    public static Object copy(Object to, Object from, ThreadState t, int site) {
        try {
            return to == null || from == null ? null : Pair.copy(to, from, t, site);
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return null;
        }
    }

    /**
     * Returns what a call with a receiver does with this argument, namely what a call of its method with this number does; null if that is
     * unknown.
     */
    static PendingOperation passed(Object o, ThreadState t, int site, int method) {
        if (!isOfPlatform(o, t, method)) {
            return null;
        }
        Object of = o;
        ClassModel model = model(of.getClass(), t, method);
        while (model.isWrapper() && ObjectTable.known(of, t, false) == null) {
            of = model.wrapped(of);
            model = model(of.getClass(), t, method);
        }
        Effect effect = model.of(method);
        boolean isAccess = effect.kind == Effect.Kind.READ || effect.kind == Effect.Kind.WRITE;
        if (isAccess && effect.part == Effect.Part.KEY) {
            Session.unseen(Unseen.OTHER_COLLECTIONS);
            return null;
        }
        return isAccess ? start(model, effect, of, null, -1, t, site, true) : null;
    }

    /**
     * Before an unwatched call that by its name only reads: in a class of the program it may write, and then so does the critical section around it.
     */
    public static void ask(Object o, ThreadState t, int method) {
        if (o == null || t.reading.isEmpty()) {
            return;
        }
        try {
            Object of = o;
            ClassModel model = model(of.getClass(), t, method);
            while (model.isWrapper() && ObjectTable.known(of, t, false) == null) {
                of = model.wrapped(of);
                model = model(of.getClass(), t, method);
            }
            if (!(model.isOfPlatformAlone && model.of(method).isReading())) {
                Hooks.writes(t);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** The same for a call that acts on this argument. */
    public static void askArgument(Object o, ThreadState t, int method) {
        if (t.reading.isEmpty()) {
            return;
        }
        if (o != null && isOfPlatform(o, t, method)) {
            ask(o, t, method);
        } else {
            Hooks.writes(t);
        }
    }

    private static boolean isOfPlatform(Object o, ThreadState t, int method) {
        try {
            Object of = o;
            ClassModel model = model(of.getClass(), t, method);
            while (model.isPlatform && model.isWrapper()) {
                of = model.wrapped(of);
                model = model(of.getClass(), t, method);
            }
            return model.isPlatform;
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return false;
        }
    }

    /** Before a call whose declared receiver is a class of the program, which may extend one of the platform with a model. */
    public static Object inherited(Object o, Object key, ThreadState t, int site, int method) {
        return inherited(o, key, -1, t, site, method);
    }

    /** The same, if one of the first two arguments is an integer. */
    public static Object inherited(Object o, Object key, long number, ThreadState t, int site, int method) {
        return Inherited.isNothing(site) ? null : inheritedByClass(o, key, number, t, site, method);
    }

    @DontInline
    private static Object inheritedByClass(Object o, Object key, long number, ThreadState t, int site, int method) {
        try {
            return o != null && Inherited.has(o.getClass(), t, site, method) ? before(o, key, number, t, site, method) : null;
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return null;
        }
    }

    private static ClassModel model(Class<?> c, ThreadState t, int method) {
        ClassModel[] cache = t.models;
        ClassModel known = cache[method & cache.length - 1];
        if (known != null && known.type == c) {
            return known;
        }
        return find(c, cache, method);
    }

    @DontInline
    private static ClassModel find(Class<?> c, ClassModel[] cache, int method) {
        ClassModel found = ClassModel.of(c);
        if (found.isPlatform) {
            // A class of the program can be unloaded before the thread ends.
            cache[method & cache.length - 1] = found;
        }
        return found;
    }

    private static PendingOperation start(ClassModel model, Effect effect, Object o, Object key, long number, ThreadState t, int site, boolean isPart) {
        t.settle();
        if (effect.part == Effect.Part.OWNER) {
            return t.entries.begin(effect, o, t, site);
        }
        Object of = effect.part == Effect.Part.ENTRY ? Iteration.lookUp(effect.part, o, t) : o;
        Object known = of == null ? null : model.isStream ? ObjectTable.ofStream(of, t) : ObjectTable.known(of, t, !model.canBeView);
        if (known instanceof Iteration) {
            return ((Iteration) known).begin(model, effect, o, t);
        }
        ModelledObject receiver = (ModelledObject) known;
        if (receiver == null) {
            return null;
        }
        if (!receiver.tellsOrder || !effect.canChangeOthers()) {
            return start(model, effect, receiver, o, key, number, t, site, isPart);
        }
        receiver.beginChange();
        PendingOperation operation = start(model, effect, receiver, o, key, number, t, site, isPart);
        PendingOperation result = operation != null ? operation : new Unrecorded(effect, t);
        result.changed = receiver;
        return result;
    }

    /** A call that leaves no event, but whose duration must be known. */
    static final class Unrecorded extends PendingOperation {
        Unrecorded(Effect effect, ThreadState t) {
            super(effect, t);
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            // There is nothing to record.
        }
    }

    private static PendingOperation start(ClassModel model, Effect effect, ModelledObject receiver, Object o, Object key, long number, ThreadState t, int site,
        boolean isPart) {
        switch (effect.family) {
            case ACCESS: case ATOMIC: return access(effect, receiver, o, key, number, t, site, isPart);
            case VIEW: return new ObjectTable.View(effect, receiver, t, site);
            case ITERATION:
                // A lookup of no value need not look.
                boolean looksForNone = key == null && effect.part == Effect.Part.KEYS && effect.when == Effect.When.FALSE;
                return looksForNone ? null : Iteration.begin(effect, receiver, t, site);
            case LOCK: return Locks.begin(effect, receiver, o, number, t, site);
            default: return Queues.begin(effect, receiver, key, t, site);
        }
    }

    /**
     * Before an access to a variable of the receiver; null if there is no such variable, or if nothing would be recorded, unless the access is a part
     * of an event.
     */
    @DontInline
    private static PendingOperation access(Effect effect, ModelledObject receiver, Object o, Object key, long number, ThreadState t, int site, boolean isPart) {
        Shadow h = receiver.whole;
        ModelledObject.Part part = null;
        int slot = 0;
        switch (effect.part) {
            case KEY:
                if (key == null) {
                    return null;
                }
                part = receiver.of(key, t);
                h = part.shadow;
                break;
            case ENTRY:
                part = receiver.of(Iteration.lookUp(Effect.Part.RESULT, o, t), t);
                h = part.shadow;
                break;
            case ELEMENT:
                h = receiver.element(o, (int) number, t);
                slot = (int) number;
                break;
            case TARGET:
                Target handle = receiver.target(o, t);
                long index = handle.index(key, number);
                Target target = handle.at(key, number, t);
                target.tell(site, t);
                target.initialize();
                t.settle();
                if (effect.kind != Effect.Kind.READ && effect.kind != Effect.Kind.ATOMIC_READ) {
                    target.writes(t);
                }
                h = target.of(key, index, t);
                slot = target.slot(index);
                break;
            case PART:
                part = receiver.added().of(t);
                h = part.shadow;
                break;
            case EACH:
                return Bulk.begin(effect, receiver, o, key, t, site);
            case PARTS:
                return Access.ofParts(effect, receiver, t);
            default:
        }
        if (h == null) {
            return null;
        }
        if (effect.family == Effect.Family.ATOMIC) {
            return t.atomic.begin(effect, h, slot, t);
        }
        if (receiver.moves != null && effect.part == Effect.Part.WHOLE && (effect.kind == Effect.Kind.WRITE || effect.moves)) {
            Hooks.writes(t);
            return receiver.moves.begin(effect, receiver, o, t, site);
        }
        ModelledObject.Part counted = effect.counts != null ? receiver.added().of(t) : null;
        // An iteration over the map needs to know each removal.
        boolean isKept = isPart || effect.removes && receiver.isIterated() || effect.kind != Effect.Kind.READ && isShared(receiver, part, t);
        if (!isKept && Access.isCovered(effect, h, slot, t) && (counted == null || Access.isCovered(effect, counted.shadow, 0, t))) {
            return null;
        }
        Access result = part == null ? new Access(effect, receiver, h, slot, t) : Access.ofPart(effect, receiver, part, t);
        if (counted != null) {
            result.counted = Access.ofPart(Effect.COUNT, receiver, counted, t);
        }
        result.site = site;
        return result;
    }

    /** Whether another thread has used the key: each call that can write it must be known then ({@link KeyCalls}). */
    private static boolean isShared(ModelledObject receiver, ModelledObject.Part part, ThreadState t) {
        return receiver.tellsOrder && part instanceof ModelledObject.Key && ((ModelledObject.Key) part).calls(t) != null;
    }

    /** Between the hook before a call and the call: the call's second argument, and the third one, or null. */
    public static void with(Object second, Object third, Object operation) {
        if (operation instanceof KeyAccess) {
            ((KeyAccess) operation).with(second, third);
        }
    }

    /** After a call that returned a reference. */
    public static void after(Object result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            PendingOperation o = (PendingOperation) operation;
            end(o, o.effect.isSo(result, t), o.effect.isCounted(result), result, t, site);
        }
    }

    /** After a call that returned a boolean. */
    public static void after(boolean result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            PendingOperation o = (PendingOperation) operation;
            o.answer = result;
            end(o, o.effect.isSo(result), o.effect.isCounted(result), null, t, site);
        }
    }

    /** After a call that returned a long. */
    public static void after(long result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            PendingOperation o = (PendingOperation) operation;
            end(o, o.effect.isSo(result), false, null, t, site);
        }
    }

    /** After another call. */
    public static void after(Object operation, ThreadState t, int site) {
        if (operation != null) {
            PendingOperation o = (PendingOperation) operation;
            end(o, true, false, null, t, site);
        }
    }

    /** After a call that has taken a lock, if the critical section under it announces its first write. */
    public static void afterToRead(Object operation, ThreadState t, int site) {
        if (operation != null) {
            ((PendingOperation) operation).read();
            after(operation, t, site);
        }
    }

    /**
     * Where an exception leaves a block: a step of an iterator that has failed because others have changed the collection has looked at the
     * collection, and is an event of the block like one that returns. A step that fails because it is at its end knows that from the preceding step.
     */
    public static void failed(Throwable e, Object step, ThreadState t) {
        PendingOperation o = (PendingOperation) step;
        if (o != null && e instanceof ConcurrentModificationException) {
            after(o, t, o.site);
        }
    }

    /**
     * The same for a call that has not found what it was to return or to take out, or has found that others have changed the collection: it has
     * looked, and changed nothing.
     */
    public static void foundNothing(Throwable e, Object look, ThreadState t) {
        PendingOperation o = (PendingOperation) look;
        boolean isOfLook = e instanceof NoSuchElementException || e instanceof EmptyStackException || e instanceof ConcurrentModificationException
            || e instanceof IndexOutOfBoundsException && !isOfPart(e);
        if (o != null && isOfLook) {
            end(o, false, false, null, t, o.site);
        }
    }

    /**
     * Whether a part of a list has refused an index that is out of range, which it does before it looks at the list. An exception of a class of the
     * program is not a list's, and is not inspected.
     */
    private static boolean isOfPart(Throwable e) {
        if (e.getClass().getClassLoader() != null) {
            return true;
        }
        StackTraceElement[] frames = e.getStackTrace();
        for (int i = 0; i < Math.min(DEEPEST_PART, frames.length); i++) {
            if (frames[i].getClassName().contains("SubList")) {
                return true;
            }
        }
        return false;
    }

    @DontInline
    private static void end(PendingOperation o, boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        Probe.between(t);
        try {
            o.end(isSo, isCounted, result, t, site);
            if (o.changed != null) {
                o.changed.endChange();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.step = -1;
            t.isUpdate = false;
            t.lostEvents++;
        }
    }
}
