package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Place;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;

/** A switch point: a thread, a place, and as the how-many-th time the thread passes it. */
final class Point {
    /** Its index in the schedule. */
    final int index;
    /** How the thread was started. */
    final String thread;
    final Place place;
    final int times;
    /** Before which place the thread waits for its turn. */
    final Place before;
    /** The thread passes it in the candidate's block. */
    final boolean isInBlock;
    /** A thread that passes it only looks. */
    final boolean isLook;
    /** It was passed, in its turn or not. */
    volatile boolean isPassed;
    /** By whom, if that thread only looked and nobody has waited for what it does next. */
    volatile Thread looker;

    Point(int index, String thread, Place place, int times, Place before) {
        this.index = index;
        this.thread = thread;
        this.place = place;
        this.times = times;
        this.before = before;
        isInBlock = place != null && place.isPart();
        isLook = place != null && place.isLook();
    }

    boolean isOf(ThreadState t) {
        return Origin.of(t).text.equals(thread);
    }
}
