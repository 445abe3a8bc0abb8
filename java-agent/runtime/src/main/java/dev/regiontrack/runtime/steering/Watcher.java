package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.threads.ThreadState;

/** Who is told where threads are, besides the candidates of the plan. Called by the program's threads, which it may hold; nothing is locked then. */
public interface Watcher {
    /** The running thread has passed a place that is watched, for the how-many-th time. */
    void passed(Place place, int times, ThreadState t);

    /** It is about to pass a place, or take a lock, for which threads can have to wait. */
    void comes(Place place, ThreadState t);
}
