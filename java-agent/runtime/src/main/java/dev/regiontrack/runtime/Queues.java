package dev.regiontrack.runtime;

/**
 * What calls say of the state of a queue that is made for threads, besides what it hands over ({@link Handovers}).
 *
 * <p>There are two variables, each with a part for every thread ({@link Shares}): what threads have put in, and what they have taken out. A call that changes the
 * queue writes the thread's own part, so those that put and those that take have no order among themselves. A call that looks at the queue reads the parts of
 * all threads: of both variables, or only what was taken, if it has found something, which no other element that comes after it changes. Who changes
 * the queue after a look in the same block relies on what it has seen; then the changes of the same variable by others are in order with this one.
 */
final class Queues {
    private Queues() {
    }

    /** After a call that has looked at everything, or only for an element that is there. It began at this time of the queue. */
    static void look(Receiver queue, boolean isAll, long since, boolean followsMore, ThreadState t, int site) {
        t.settle();
        Shares.Share own = queue.taken().of(t);
        own.looked = t.outermost();
        if (own.seen == since && own.seg == t.seg && (own.hasSeenAll || !isAll)) {
            // Nobody has changed it since the thread read all that.
            return;
        }
        // What is read before a new dependency is not of the segment after it.
        long seg = t.seg;
        read(queue, queue.taken(), since, followsMore, t, site);
        if (isAll) {
            read(queue, queue.added(), since, followsMore, t, site);
        }
        own.seen = followsMore ? -1 : since;
        own.seg = seg;
        own.hasSeenAll = isAll;
    }

    /** After a call by which the thread has written its part of these. */
    static void changed(Receiver queue, Shares shares, long since, boolean followsMore, ThreadState t, int site) {
        long block = t.outermost();
        if (block != 0 && queue.taken().of(t).looked == block) {
            read(queue, shares, since, followsMore, t, site);
        }
    }

    private static void read(Receiver queue, Shares shares, long since, boolean followsMore, ThreadState t, int site) {
        for (Receiver.Part part : shares.all(t)) {
            Iteration.read(queue, part, since, followsMore, t, site);
        }
    }
}
