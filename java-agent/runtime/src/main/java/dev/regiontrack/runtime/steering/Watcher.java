package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.threads.ThreadState;

/**
 * Notified of the places where threads are, in addition to the plan's candidates. Called by the program's threads, which it may hold; they hold no
 * lock of the runtime then.
 */
public interface Watcher {
    /** The running thread has passed a watched place; {@code times} counts its passings. */
    void passed(Place place, int times, ThreadState t);

    /** The running thread is about to pass a place, or to take a lock, for which threads may have to wait. */
    void comes(Place place, ThreadState t);
}
