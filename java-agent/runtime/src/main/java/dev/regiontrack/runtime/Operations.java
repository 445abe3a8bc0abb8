package dev.regiontrack.runtime;

import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.DontInline;

/**
 * The hooks around calls of the platform's library that have a model ({@link ModelTable}): an operation is an event on a variable of
 * its receiver.
 *
 * <p>An operation that can call other code, or block, takes time, and no lock of ours is held meanwhile. If all its accesses would be redundant at
 * its start, it is left out. If not, it notes the stamps of its variable then, and when it returns it takes the variable's lock: if another thread's
 * operation that conflicts with it has stamped the variable in between, the two overlapped, so nobody knows their order; it leaves no event then,
 * and is counted. Otherwise all others had returned before it began, and it is recorded like an access. What it called meanwhile is recorded before it;
 * if that has brought a new dependency, the operation is left out, too, because its own effect may have come first. One that accesses several variables
 * is recorded or left out for each. {@code analysis-core/src/protocol/operations.rs} specifies it. What queues hand over is in {@link
 * Handovers}. An atomic operation runs while its variable is locked, as the access to a field does.
 */
public final class Operations {
    private static final WeakTable TABLE = new WeakTable();
    private static final String OVERLAPPING = "operations of the library that overlapped, so that their order is not known";

    private Effect effect;
    private Receiver receiver;
    private Shadow variable;
    private int slot;
    private final long w;
    private final long r;
    private final int readers;
    private final int taken;
    /** What the call is to give, or null. */
    private Handovers.Gift gift;
    /** What it is to take out; of a step, the iterator; or null. */
    private Object argument;
    /** At its start, {@link Handovers.Place#removals}. */
    private int removals;
    /** The same call's access to another variable, or null. */
    private Operations next;
    /** Where it is, for {@link #failed}. */
    private int site;
    /** Its access to the thread's part of the number of keys, or null. */
    private Operations counted;
    /** Of a map that is made for threads: the variable's part; otherwise null. */
    private Receiver.Part part;
    /** Of a call that looks at keys which are not known when it begins: the time of the map then. */
    private long since;
    /** What the receiver is, if it is an iterator or a stream over such a map, or null. */
    private Iteration iteration;

    private Operations(Effect effect, Receiver receiver, Shadow variable, int slot, ThreadState t) {
        this.effect = effect;
        this.receiver = receiver;
        this.variable = variable;
        this.slot = slot;
        boolean isRead = effect.kind == Effect.Kind.READ;
        boolean isWrite = effect.kind == Effect.Kind.WRITE;
        // The write first: if one comes in between, it is seen at the end. A call that turns out to be a read needs no more.
        w = isRead || isWrite ? Protocol.written(variable, slot) : 0;
        r = isWrite ? Protocol.read(variable, slot) : 0;
        readers = isWrite ? Protocol.changes(variable, slot) : 0;
        taken = taken(effect, t);
    }

    /** Of a thread: its atomic operation, which calls nothing, so there is one at a time. */
    Operations() {
        w = 0;
        r = 0;
        readers = 0;
        taken = 0;
    }

    /** How many dependencies may have come after the effect of an operation: not those by which a queue hands elements over that it takes out. */
    private static int taken(Effect effect, ThreadState t) {
        return effect.part == Effect.Part.TAKEN ? t.taken - t.drained : t.taken;
    }

    /** The next atomic operation of the thread. */
    private Operations at(Effect effect, Receiver receiver, Shadow variable, int slot) {
        this.effect = effect;
        this.receiver = receiver;
        this.variable = variable;
        this.slot = slot;
        return this;
    }

    /**
     * Before a call; the result is for the hook after it. {@code key} is the first argument, if that is a reference; {@code method} is from {@link
     * ModelTable#method}. The sites follow each other: of a read, of a write, of a lock.
     */
    public static Object before(Object o, Object key, ThreadState t, int site, int method) {
        return before(o, key, -1, t, site, method);
    }

    /** The same, if one of the first two arguments is an integer, perhaps an index: the first of those. */
    @DontInline
    public static Object before(Object o, Object key, long number, ThreadState t, int site, int method) {
        if (o == null) {
            return null;
        }
        try {
            Object of = o;
            Receiving receiving = receiving(o.getClass(), t, method);
            // One that a call has made a view is known by itself.
            while (receiving.isWrapper() && known(of, t, false) == null) {
                of = receiving.wrapped(of);
                receiving = receiving(of.getClass(), t, method);
            }
            Effect effect = receiving.of(method);
            if (effect == Effect.NONE || receiving.isStream && !LastStream.hasAny()) {
                return null;
            }
            Object operation = start(receiving, effect, of, key, number, t, site);
            Probe.between(t);
            return operation;
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
            return null;
        }
    }

    /** Before a call whose declared receiver is a class of the program, which can extend one of the platform that has a model. */
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

    private static Receiving receiving(Class<?> c, ThreadState t, int method) {
        Receiving[] cache = t.receiving;
        Receiving known = cache[method & cache.length - 1];
        if (known != null && known.type == c) {
            return known;
        }
        Receiving found = Receiving.of(c);
        if (found.isPlatform) {
            // A class of the program can be unloaded before the thread ends.
            cache[method & cache.length - 1] = found;
        }
        return found;
    }

    private static Object start(Receiving receiving, Effect effect, Object o, Object key, long number, ThreadState t, int site) {
        t.settle();
        Object of = effect.part == Effect.Part.ENTRY ? lookUp(effect.part, o, t) : o;
        Object known = of == null ? null : receiving.isStream ? ofStream(of, t) : known(of, t, !receiving.canBeView);
        if (known instanceof Iteration) {
            return ofIteration(receiving, effect, (Iteration) known, o, t);
        }
        Receiver receiver = (Receiver) known;
        if (receiver == null || key == null && (effect.part == Effect.Part.KEY || effect.kind == Effect.Kind.GIVE || effect.kind == Effect.Kind.TAKE_ARGUMENT)) {
            return null;
        }
        Shadow h = receiver.whole;
        Receiver.Part part = null;
        int slot = 0;
        switch (effect.part) {
            case KEY: case ENTRY:
                part = receiver.of(effect.part == Effect.Part.KEY ? key : lookUp(Effect.Part.RESULT, o, t), t);
                h = part.shadow;
                break;
            case ELEMENT:
                h = receiver.element(o, number, t);
                slot = (int) number;
                break;
            case TARGET:
                Target handle = receiver.target(o, t);
                long index = handle.index(key, number);
                Target target = handle.at(key, number, t);
                target.initialize();
                t.settle();
                h = target.of(key, index, t);
                slot = target.slot(index);
                break;
            case PART:
                part = receiver.added().of(t);
                h = part.shadow;
                break;
            case PARTS:
                return ofParts(effect, receiver, t);
            default:
        }
        if (h == null) {
            return null;
        }
        boolean isOfQueue = effect.isOfQueue();
        boolean changesQueue = isOfQueue && effect.part != Effect.Part.QUEUE && effect.kind != Effect.Kind.SEE;
        Receiver.Part counted = effect.counts != null ? receiver.added().of(t) : changesQueue ? effect.changed(receiver).of(t) : null;
        boolean looksLater = effect.part == Effect.Part.KEYS || effect.part == Effect.Part.RESULT || effect.kind == Effect.Kind.ITERATE || isOfQueue;
        if (!looksLater && isCovered(effect, h, slot, t) && (counted == null || isCovered(effect, counted.shadow, 0, t))) {
            return null;
        }
        if (effect.isAtomic()) {
            // No stamp before the effect: an operation that starts in between would take it for one that is over.
            Protocol.lockForUpdate(h, slot, t);
            return t.atomic.at(effect, receiver, h, slot);
        }
        Operations result = part == null ? new Operations(effect, receiver, h, slot, t) : ofPart(effect, receiver, part, t);
        if (looksLater) {
            result.since = receiver.now();
        }
        if (counted != null) {
            result.counted = ofPart(Effect.COUNT, receiver, counted, t);
        }
        result.site = site;
        switch (effect.kind) {
            case RELEASE:
                Monitor.exit(h, receiver.type, t, site + 2);
                break;
            case UNSHARE:
                read(h, t, site);
                break;
            case INCLUDE:
                if (isHeld(o)) {
                    write(h, t, site + 1);
                }
                break;
            case UNLOCK: case DOWNGRADE:
                unlock(effect, o, number, h, t, site);
                break;
            case AWAIT:
                t.wait.begin(h, receiver.type, t, site + 2);
                break;
            case SEE:
                result.removals = receiver.place().removals();
                break;
            case TAKE_ARGUMENT:
                // What is equal to another object can be taken out in its place.
                result.argument = Receiving.of(key.getClass()).isOnlyItself() ? key : null;
                break;
            default:
                if (effect.waits) {
                    t.waits();
                }
                // If the same object is given where nobody watches, it would be taken for this gift.
                if (effect.gives() && key != null && !ThreadState.SAMPLES) {
                    result.gift = Handovers.give(key, receiver.place(), t, effect.waits ? site + 2 : site + 1, receiver.type);
                }
        }
        return result;
    }

    /** True if the access would be redundant, even if all that it conflicts with comes after it. */
    private static boolean isCovered(Effect effect, Shadow h, int slot, ThreadState t) {
        return !effect.waits && (effect.kind == Effect.Kind.READ && Protocol.cover(h, slot, t) != 0
            || effect.kind == Effect.Kind.WRITE && Protocol.coversWrite(h, slot, t));
    }

    /** A call on an iterator or a stream over a map that is made for threads. */
    private static Operations ofIteration(Receiving receiving, Effect effect, Iteration iteration, Object o, ThreadState t) {
        Receiver map = iteration.map;
        boolean isStep = effect.kind == Effect.Kind.STEP || effect.kind == Effect.Kind.OVER;
        // Which key another iterator looks at is not known, nor how far a stream comes that can stop, unless its result says so.
        boolean isOther = effect.kind == Effect.Kind.READ && !receiving.isStream && !receiving.isNamed;
        if (effect.part == Effect.Part.SOME && effect.when == Effect.When.ALWAYS || isOther) {
            return null;
        }
        if (isStep && !iteration.begins(t)) {
            return null;
        }
        Operations result;
        if (effect.part == Effect.Part.LAST) {
            Object key = iteration.isOfQueue ? null : lookUp(Effect.Part.LAST, o, t);
            if (key == null && !iteration.isOfQueue) {
                return null;
            }
            result = ofPart(effect, map, iteration.isOfQueue ? map.taken().of(t) : map.of(key, t), t);
            result.counted = iteration.isOfQueue ? null : ofPart(Effect.COUNT, map, map.added().of(t), t);
        } else if (isStep || effect.kind == Effect.Kind.VIEW || effect.kind == Effect.Kind.READ) {
            result = new Operations(effect, map, map.whole, 0, t);
            result.argument = o;
        } else {
            return null;
        }
        result.iteration = iteration;
        return result;
    }

    /** The key that an iterator has returned last, the map of an entry, or the key of a result; null if there is none. */
    private static Object lookUp(Effect.Part what, Object o, ThreadState t) {
        boolean wasInside = t.isInside;
        t.isInside = true;
        try {
            return what == Effect.Part.LAST ? Iteration.lastKey(o) : what == Effect.Part.ENTRY ? Iteration.mapOf(o) : Iteration.keyOf(o);
        } finally {
            t.isInside = wasInside;
        }
    }

    /** An access to a part, which has a name before another thread can depend on this one; where all events are recorded, before the first. */
    private static Operations ofPart(Effect effect, Receiver receiver, Receiver.Part part, ThreadState t) {
        Operations result = new Operations(effect, receiver, part.shadow, 0, t);
        result.part = part;
        name(receiver, part, result.w, result.r, t);
        return result;
    }

    /** Names a part if another thread has stamped it. If one does from now on, the operation is one that overlapped. */
    static void name(Receiver receiver, Receiver.Part part, long w, long r, ThreadState t) {
        if (!part.isNamed() && (!ThreadState.EPOCHS || isOthers(w, t) || isOthers(r, t))) {
            receiver.name(part, t);
        }
    }

    private static boolean isOthers(long stamp, ThreadState t) {
        return stamp != 0 && Stamp.thread(stamp) != t.number;
    }

    /** An access to the parts of all threads that have one; null if there is none. */
    private static Operations ofParts(Effect effect, Receiver receiver, ThreadState t) {
        Operations first = null;
        for (Receiver.Part part : receiver.added().all(t)) {
            Operations operation = ofPart(effect, receiver, part, t);
            operation.next = first;
            first = operation;
        }
        return first;
    }

    /** False if the lock is known not to be the thread's: the call will fail. */
    private static boolean isHeld(Object o) {
        return o.getClass() != ReentrantReadWriteLock.WriteLock.class || ((ReentrantReadWriteLock.WriteLock) o).isHeldByCurrentThread();
    }

    /** Before a call that gives back what a stamp names, if it names something. */
    private static void unlock(Effect effect, Object o, long stamp, Shadow h, ThreadState t, int site) {
        if (o.getClass() == StampedLock.class && ((StampedLock) o).validate(stamp)) {
            if (StampedLock.isWriteLockStamp(stamp)) {
                write(h, t, site + 1);
            } else if (effect.kind == Effect.Kind.UNLOCK && StampedLock.isReadLockStamp(stamp) && ((StampedLock) o).isReadLocked()) {
                read(h, t, site);
            }
        }
    }

    /**
     * Before a queue hands an element over, among others, to a collection. It is not counted as taken yet, so those who can have given it are
     * known; nor will it be, because the collection can refuse it.
     */
    public static void drains(Object element, Object queue) {
        ThreadState t = null;
        try {
            if (element != null && Session.isArmed() && Handovers.isGiven(element)) {
                t = Threads.current();
                t.settle();
                Object receiver = known(queue, t, false);
                if (receiver != null) {
                    int before = t.taken;
                    Handovers.receive(element, ((Receiver) receiver).place(), false, t, Session.DRAIN_SITE);
                    t.drained += t.taken - before;
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** The variables of an object, a {@link Receiver}, or what it goes over; null if there are none yet and {@code isNew} is false. */
    private static Object known(Object o, ThreadState t, boolean isNew) {
        int hash = System.identityHashCode(o);
        WeakTable.Entry[] cache = t.receivers;
        WeakTable.Entry e = cache[hash & cache.length - 1];
        if (e == null || e.get() != o) {
            e = TABLE.entry(o, hash);
            if (e == null) {
                Object map = mapOfKeys(o, t);
                if (map == null && !isNew) {
                    return null;
                }
                e = TABLE.put(o, hash, map != null ? known(map, t, true) : new Receiver(o, t));
            }
            cache[hash & cache.length - 1] = e;
        }
        return e.value;
    }

    /** What a stream goes over; null if that has no variable. */
    private static Object ofStream(Object o, ThreadState t) {
        Object last = t.stream.use(o);
        return last == null && LastStream.areInTable() ? known(o, t, false) : last;
    }

    /** A call has returned this, a view of a collection. */
    private static void view(Object result, Object of, ThreadState t) {
        t.settle();
        if (!t.stream.keep(result, of, TABLE)) {
            TABLE.put(result, of);
        }
    }

    /** The map of a set of keys, which can be a set of its own, without a call that has made it a view; otherwise null. */
    private static Object mapOfKeys(Object o, ThreadState t) {
        if (!(o instanceof ConcurrentHashMap.KeySetView)) {
            return null;
        }
        boolean wasInside = t.isInside;
        t.isInside = true;
        try {
            return ((ConcurrentHashMap.KeySetView<?, ?>) o).getMap();
        } finally {
            t.isInside = wasInside;
        }
    }

    /** After a call that returned a reference. */
    public static void after(Object result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            Operations o = (Operations) operation;
            o.end(o.effect.isSo(result, t), o.effect.isCounted(result), result, t, site);
        }
    }

    /** After a call that returned a boolean. */
    public static void after(boolean result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            Operations o = (Operations) operation;
            o.end(o.effect.isSo(result), o.effect.isCounted(result), null, t, site);
        }
    }

    /** After a call that returned a long. */
    public static void after(long result, Object operation, ThreadState t, int site) {
        if (operation != null) {
            Operations o = (Operations) operation;
            o.end(o.effect.isSo(result), false, null, t, site);
        }
    }

    /** After another call. */
    public static void after(Object operation, ThreadState t, int site) {
        if (operation != null) {
            Operations o = (Operations) operation;
            o.end(true, false, null, t, site);
        }
    }

    /**
     * Where an exception leaves a block: a step of an iterator that has failed because others have changed the collection has looked at it, and is an
     * event of the block like one that returns. So has a call that has found a queue to be empty.
     */
    public static void failed(Throwable e, Object step, ThreadState t) {
        Operations o = (Operations) step;
        if (o != null && (e instanceof ConcurrentModificationException || e instanceof NoSuchElementException && o.effect.isOfQueue())) {
            after(o, t, o.site);
        }
    }

    private void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        Probe.between(t);
        try {
            boolean followsMore = taken(effect, t) != taken;
            switch (effect.kind) {
                case READ: case WRITE:
                    if (effect.isOfQueue()) {
                        endOnQueue(isSo && effect.kind == Effect.Kind.WRITE, isSo || effect.kind == Effect.Kind.WRITE, followsMore, t, site);
                        break;
                    }
                    if (looksAtKeys()) {
                        // First, because the thread reads its own part, too.
                        if (isCounted) {
                            counted.endWrite(followsMore, t, site + 1);
                        }
                        if (isSo || effect.part != Effect.Part.KEYS && effect.part != Effect.Part.SOME) {
                            readKeys(followsMore, result, t, site);
                        }
                        break;
                    }
                    for (Operations o = this; o != null; o = o.next) {
                        if (isSo && effect.kind == Effect.Kind.WRITE) {
                            o.endWrite(followsMore, t, site + 1);
                        } else {
                            o.endRead(followsMore, t, site);
                        }
                    }
                    if (isCounted || effect.part == Effect.Part.LAST && counted != null) {
                        counted.endWrite(followsMore, t, site + 1);
                    }
                    break;
                case ATOMIC_READ: case ATOMIC_WRITE:
                    if (t.held.isHeld()) {
                        boolean isWrite = isSo && effect.kind == Effect.Kind.ATOMIC_WRITE;
                        Protocol.updated(variable, slot, t, isWrite ? site + 1 : site, isWrite);
                    }
                    Hooks.unlock(t);
                    break;
                case VIEW:
                    if (result != null) {
                        view(result, iteration != null ? iteration : receiver, t);
                    }
                    break;
                case ITERATE:
                    if (result != null) {
                        view(result, new Iteration(receiver, effect.part == Effect.Part.QUEUE, since, taken, t), t);
                    }
                    break;
                case STEP:
                    if (iteration != null) {
                        t.settle();
                        iteration.step(iteration.isOfQueue ? null : lookUp(Effect.Part.LAST, argument, t), t, site);
                    }
                    break;
                case OVER:
                    if (isSo && iteration != null) {
                        t.settle();
                        iteration.over(t, site);
                    }
                    break;
                case ACQUIRE:
                    t.settle();
                    if (isSo) {
                        Monitor.enter(variable, receiver.type, t, site + 2);
                    }
                    break;
                case SHARE: case DOWNGRADE:
                    t.settle();
                    if (isSo) {
                        read(variable, t, site);
                    }
                    break;
                case EXCLUDE:
                    t.settle();
                    if (isSo) {
                        write(variable, t, site + 1);
                    }
                    break;
                case AWAIT:
                    t.wait.end(t);
                    t.settle();
                    break;
                case GIVE: case TAKE: case EXCHANGE:
                    if (!isSo && gift != null) {
                        gift.withdraw();
                    }
                    if (result != null && effect.kind != Effect.Kind.GIVE) {
                        Handovers.receive(result, receiver.place(), true, t, effect.waits ? site + 2 : site);
                    }
                    if (effect.isOfQueue()) {
                        endOnQueue(effect.kind == Effect.Kind.GIVE ? isSo : result != null, true, followsMore, t, site);
                    }
                    break;
                case TAKE_ARGUMENT:
                    if (isSo && argument != null) {
                        Handovers.receive(argument, receiver.place(), true, t, site);
                    }
                    endOnQueue(isSo, true, followsMore, t, site);
                    break;
                case SEE:
                    if (result != null) {
                        Handovers.see(result, receiver.place(), removals, t, site);
                    }
                    endOnQueue(false, result == null, followsMore, t, site);
                    break;
                default:
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            t.lostEvents++;
        }
    }

    /** A call that has changed a queue, or looked at it: at everything, or only for an element that is there. */
    private void endOnQueue(boolean isChange, boolean isAll, boolean followsMore, ThreadState t, int site) {
        if (isChange) {
            counted.endWrite(followsMore, t, site + 1);
            Queues.changed(receiver, effect.changed(receiver), since, followsMore, t, site);
        } else {
            Queues.look(receiver, isAll, since, followsMore, t, site);
        }
    }

    /** True if the call looks at keys that were not known when it began. */
    private boolean looksAtKeys() {
        return effect.part == Effect.Part.KEYS || effect.part == Effect.Part.RESULT || iteration != null && effect.part != Effect.Part.LAST;
    }

    private void readKeys(boolean followsMore, Object result, ThreadState t, int site) {
        t.settle();
        if (iteration != null) {
            iteration.readAll(t, site);
        } else if (effect.part == Effect.Part.KEYS) {
            Iteration.readAll(receiver, since, followsMore, t, site);
        } else {
            Iteration.readOne(receiver, lookUp(Effect.Part.RESULT, result, t), since, followsMore, t, site);
        }
    }

    private void endRead(boolean followsMore, ThreadState t, int site) {
        t.settle();
        if (Protocol.cover(variable, slot, t) != 0) {
            return;
        }
        if (Protocol.tryLock(variable, slot, t)) {
            if (followsMore || isForeign(Protocol.written(variable, slot), w, t)) {
                overlapped(t);
                return;
            }
            Protocol.readLocked(variable, slot, t, site);
            Hooks.unlockRead(t);
        }
    }

    private void endWrite(boolean followsMore, ThreadState t, int site) {
        t.settle();
        Protocol.lockForUpdate(variable, slot, t);
        if (!t.held.isHeld()) {
            return;
        }
        boolean isOverlapped = followsMore || isForeign(Protocol.written(variable, slot), w, t) || isForeign(Protocol.read(variable, slot), r, t)
            || Protocol.changes(variable, slot) != readers;
        if (isOverlapped) {
            overlapped(t);
            return;
        }
        Protocol.updated(variable, slot, t, site, true);
        if (part != null) {
            receiver.writes(part);
        }
        Hooks.unlock(t);
    }

    /** True if another thread has changed a stamp since. */
    private static boolean isForeign(long now, long then, ThreadState t) {
        return now != then && Stamp.thread(now) != t.number;
    }

    static void overlapped(ThreadState t) {
        t.held.release();
        Session.tolerated(OVERLAPPING);
    }

    /** A read that is certainly in order: others that conflict with it wait for the lock that the thread holds. */
    private static void read(Shadow h, ThreadState t, int site) {
        Protocol.lockToRead(h, 0, t, site);
        Hooks.unlockRead(t);
    }

    private static void write(Shadow h, ThreadState t, int site) {
        Protocol.lockForWrite(h, 0, t, site);
        Hooks.unlock(t);
    }
}
