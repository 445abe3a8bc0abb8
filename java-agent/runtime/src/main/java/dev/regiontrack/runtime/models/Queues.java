package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.jdk.Handovers;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import jdk.internal.vm.annotation.DontInline;

/**
 * Calls of concurrent queues: what they hand over ({@link Handovers}), and how they access the state of the queue.
 *
 * <p>There are two variables, each with a part for every thread ({@link ThreadParts}): what threads have put in, and what they have taken out. A call
 * that changes the queue writes the thread's own part, so puts are unordered among themselves, and so are takes. A call that looks at the queue reads
 * the parts of all threads: of both variables, or only of what was taken, if it has found something, which no later element changes. A thread that
 * changes the queue after a look in the same block relies on what it has seen; then the changes of the same variable by others are ordered with its
 * own.
 */
public final class Queues extends PendingOperation {
    private final ModelledObject queue;
    /** The call's access to the thread's part of what it changes, or null. */
    private Access own;
    /** The time of the queue when the call began. */
    private long since;
    /** {@link Handovers.Place#removals} at its start. */
    private int removals;
    /** What the call is to give, or null. */
    private Handovers.Gift gift;
    /** The element that the call is to take out, or null. */
    private Object argument;

    private Queues(Effect effect, ModelledObject queue, ThreadState t, int site) {
        super(effect, t);
        this.queue = queue;
        this.site = site;
    }

    /** Before a call; {@code argument} is its first one, if that is a reference. */
    @DontInline
    static PendingOperation begin(Effect effect, ModelledObject queue, Object argument, ThreadState t, int site) {
        if (argument == null && (effect.kind == Effect.Kind.GIVE || effect.kind == Effect.Kind.TAKE_ARGUMENT)) {
            return null;
        }
        Queues result = new Queues(effect, queue, t, site);
        if (effect.isOfQueue) {
            result.since = queue.now();
            result.own = effect.changesQueue() ? Access.ofPart(Effect.COUNT, queue, effect.changed(queue).of(t), t) : null;
        }
        if (effect.kind == Effect.Kind.SEE) {
            result.removals = queue.place().removals();
        } else if (effect.kind == Effect.Kind.TAKE_ARGUMENT) {
            // An object that is equal to another one can be taken out in its place.
            result.argument = ClassModel.of(argument.getClass()).isOnlyItself() ? argument : null;
        }
        if (effect.waits) {
            t.waits();
        }
        // If the same object is also given where nothing is watched, or was before, that would be taken for this gift.
        if (effect.gives() && argument != null && !Sampling.isEverywhere() && !Session.isLate()) {
            result.gift = Handovers.give(argument, queue.place(), t, effect.waits ? site + 2 : site + 1, queue.type);
        }
        return result;
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean followsMore = followsMore(t);
        int before = t.taken;
        if (!isSo && gift != null) {
            gift.withdraw();
        }
        t.call.begin(t);
        switch (effect.kind) {
            case READ:
                look(queue, isSo, since, followsMore, t, site);
                break;
            case TAKE:
                receive(result, t, site);
                change(result != null, followsMore, t, site);
                break;
            case EXCHANGE:
                receive(result, t, site);
                break;
            case TAKE_ARGUMENT:
                if (isSo && argument != null) {
                    Handovers.receive(argument, queue.place(), true, t, site);
                }
                change(isSo, followsMore, t, site);
                break;
            case SEE:
                if (result != null) {
                    Handovers.see(result, queue.place(), removals, t, site);
                }
                look(queue, result == null, since, followsMore, t, site);
                break;
            default:
                change(isSo, followsMore, t, site);
        }
        t.call.merge(t);
        if (isSo && gift != null && !followsMore && t.taken != before) {
            gift.again(t);
        }
        t.call.end(t);
    }

    private void receive(Object element, ThreadState t, int site) {
        if (element != null) {
            Handovers.receive(element, queue.place(), true, t, effect.waits ? site + 2 : site);
        }
    }

    /** After a call that has changed the queue; or has not, which depends on all of its contents. */
    private void change(boolean isChange, boolean followsMore, ThreadState t, int site) {
        if (!isChange) {
            look(queue, true, since, followsMore, t, site);
            return;
        }
        own.endWrite(followsMore, t, site + 1);
        long block = t.outermost();
        if (block != 0 && queue.taken().lookedBy(t).block == block) {
            Iteration.readParts(queue, effect.changed(queue), since, followsMore, t, site);
        }
    }

    /** After a call that has looked at everything, or only for an element that is there. It began at this time of the queue. */
    static void look(ModelledObject queue, boolean isAll, long since, boolean followsMore, ThreadState t, int site) {
        t.settle();
        ThreadParts.Looked own = queue.taken().lookedBy(t);
        own.block = t.outermost();
        if (own.seen == since && own.seg == t.seg && (own.hasSeenAll || !isAll) && !t.call.isOfTwo()) {
            // Nothing has changed since the thread read all parts. The argument of a call can bring more, so that all parts have to be read again.
            return;
        }
        // A read before a new dependency is not of the segment after it.
        long seg = t.seg;
        Iteration.readParts(queue, queue.taken(), since, followsMore, t, site);
        if (isAll) {
            Iteration.readParts(queue, queue.added(), since, followsMore, t, site);
        }
        own.seen = followsMore ? -1 : since;
        own.seg = seg;
        own.hasSeenAll = isAll;
    }

    /**
     * Before a queue hands an element over, among others, to a collection. The element is not counted as taken yet, so its possible givers
     * are known; nor will it be, because the collection can refuse it.
     */
    public static void drains(Object element, Object queue) {
        ThreadState t = null;
        try {
            if (element != null && Session.isArmed() && Handovers.isGiven(element)) {
                t = Threads.current();
                t.settle();
                Object receiver = ObjectTable.known(queue, t, false);
                if (receiver != null) {
                    int before = t.taken;
                    Handovers.receive(element, ((ModelledObject) receiver).place(), false, t, t.placeOf(JdkSites.DRAIN));
                    t.drained += t.taken - before;
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }
}
