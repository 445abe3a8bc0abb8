package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.protocol.Stamp;

/**
 * What is kept of a thread while its {@link Thread} is reachable or its number waits for reuse: little, because
 * programs start many threads. Guarded by the lock of {@link Threads}, except the state.
 */
final class ThreadRecord {
    private static final long MANY = -1;

    int number;
    /** The state that the thread's hooks use; null once it has ended. */
    volatile ThreadState state;
    /** The number of events recorded, once the thread has ended. */
    private long last;
    /** Once it has ended: stamp of its fork, if no event has depended on it. */
    long forked;
    /** Once dead: stamp of the last event that joined it, if all are of one thread. */
    private long joined;
    /** Once dead: whether its number belongs to another thread. */
    boolean isHandedOn;

    ThreadRecord(ThreadState state) {
        use(state);
    }

    /** The thread runs, or still makes an event after its end was observed. */
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

    /** Returns the position of its last event; valid once it is dead. */
    long position() {
        ThreadState t = state;
        return t != null ? t.position : last;
    }

    /**
     * Returns the stamp of its last event; 0 if it made none. Valid once it is dead. In dependency mode, a forked thread has made one once it has
     * taken its fork.
     */
    long end() {
        long at = position();
        ThreadState t = state;
        boolean isIdle = ThreadState.EPOCHS ? (t != null ? t.forked : forked) != 0 : at == 0;
        return isIdle ? 0 : Stamp.of(number, at);
    }

    /** Whether everything that the dead thread did, or its fork if it made no event, happens before the next event of {@code t}. */
    boolean isOverFor(ThreadState t) {
        long end = forked != 0 ? forked : last == 0 ? 0 : Stamp.of(number, last);
        return end == 0 || Stamp.thread(end) == t.number || t.dependencies.imply(end);
    }

    /** The next event of {@code t} will join the dead thread. */
    void joinedBy(ThreadState t) {
        joined = joined == 0 || Stamp.thread(joined) == t.number ? t.forkStamp() : MANY;
    }

    /** Whether all joins of the dead thread happen before the next event of {@code t}. */
    boolean wasJoinedBefore(ThreadState t) {
        return joined == 0 || joined != MANY && (Stamp.thread(joined) == t.number || t.dependencies.imply(joined));
    }
}
