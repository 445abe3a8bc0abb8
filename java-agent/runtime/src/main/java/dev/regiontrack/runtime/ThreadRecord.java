package dev.regiontrack.runtime;

/**
 * What is kept of a thread as long as its {@link Thread} lives or its number waits to be used again: little, as programs start many threads.
 * Guarded by the lock of {@link Threads}, but for the state.
 */
final class ThreadRecord {
    private static final long MANY = -1;

    int number;
    /** What its hooks use; null once it has ended. */
    volatile ThreadState state;
    /** Events recorded, once it has ended. */
    private long last;
    /** Once it has ended: stamp of its fork, if no event has depended on it. */
    private long forked;
    /** Once dead: stamp of the last event that joined it, if all are of one thread. */
    private long joined;
    /** Once dead: its number is another thread's. */
    boolean isHandedOn;

    ThreadRecord(ThreadState state) {
        use(state);
    }

    /** The thread runs, or, after its end was seen, still makes an event. */
    void use(ThreadState fresh) {
        number = fresh.number;
        joined = 0;
        isHandedOn = false;
        state = fresh;
    }

    /** The thread has ended: drops its tables. */
    void close() {
        ThreadState t = state;
        t.close();
        last = t.position;
        forked = t.forked;
        state = null;
    }

    /** How many events it has recorded; asked once it is dead. */
    long position() {
        ThreadState t = state;
        return t != null ? t.position : last;
    }

    /** True if whatever the dead thread did, or its fork if it made no event, comes before what {@code t} does now. */
    boolean isOverFor(ThreadState t) {
        long end = last == 0 ? forked : Stamp.of(number, last);
        return end == 0 || Stamp.thread(end) == t.number || t.dependencies.imply(end);
    }

    /** The dead thread is about to be joined by the event that comes next of {@code t}. */
    void joinedBy(ThreadState t) {
        joined = joined == 0 || Stamp.thread(joined) == t.number ? t.next() : MANY;
    }

    /** True if all joins of the dead thread come before what {@code t} does now. */
    boolean wasJoinedBefore(ThreadState t) {
        return joined == 0 || joined != MANY && (Stamp.thread(joined) == t.number || t.dependencies.imply(joined));
    }
}
