package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Place;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;

/** A switch point: a thread, a place, and how many times the thread has passed the place by then, including this time. */
final class Point {
    /** Its index in the schedule. */
    final int index;
    /** How the thread was started. */
    final String thread;
    final Place place;
    final int times;
    /** The place before which the thread waits for its turn. */
    final Place before;
    /** Whether the thread is the one in the candidate's block: others can pass the same places. */
    final boolean isInBlock;
    /** Whether a thread that passes the point only looks. */
    final boolean isLook;
    /** Whether the schedule's thread waits before the point, and not behind the one before. */
    final boolean isApproached;
    /** Whether the point was passed, in its turn or not. */
    volatile boolean isPassed;
    /** The thread that passed the point, if it only looked and nobody has waited for its next step. */
    volatile Thread looker;

    Point(int index, String thread, Place place, int times, Place before, boolean isInBlock) {
        this.index = index;
        this.thread = thread;
        this.place = place;
        this.times = times;
        this.before = before;
        this.isInBlock = isInBlock;
        isLook = place != null && place.isLook();
        isApproached = place != null && place.isApproached();
    }

    boolean isOf(ThreadState t) {
        return Origin.of(t).text.equals(thread);
    }
}
