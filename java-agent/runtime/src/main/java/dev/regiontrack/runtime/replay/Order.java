package dev.regiontrack.runtime.replay;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The switch points of a schedule in order, and how many from the first one on were passed. Thread-safe. */
final class Order {
    private final Point[] points;
    /** The thread that the schedule holds in the block. */
    private final String holder;
    private final AtomicInteger next = new AtomicInteger();
    /** The run has left the schedule. */
    private final AtomicBoolean isOpen = new AtomicBoolean();

    Order(Point... points) {
        this.points = points;
        Point first = points[0];
        for (int n = points.length - 1; n >= 0; n--) {
            first = points[n].isInBlock ? points[n] : first;
        }
        holder = first.thread;
    }

    Point[] points() {
        return points;
    }

    /** Returns how many points, from the first one on, were passed. */
    int next() {
        return next.get();
    }

    /** Whether all points were passed. */
    boolean isOver() {
        return next.get() == points.length;
    }

    /** Lets the run leave the schedule. Returns false if it had left before. */
    boolean open() {
        return isOpen.compareAndSet(false, true);
    }

    boolean isOpen() {
        return isOpen.get();
    }

    /** Whether it is this point's turn: all points before it were passed. */
    boolean isTurnOf(Point point) {
        return point.index == next.get();
    }

    /** A thread passes a point for the first time. Threads that wait for this go on at once, even if this thread does not run. */
    void pass(Point point) {
        point.looker = point.isLook && isTurnOf(point) ? Thread.currentThread() : null;
        point.isPassed = true;
        for (int n = next.get(); n < points.length && points[n].isPassed; n = next.get()) {
            next.compareAndSet(n, n + 1);
        }
    }

    /** Whether the point belongs to the thread that the schedule holds in the block. */
    boolean isOfHolder(Point point) {
        return point.thread.equals(holder);
    }

    /**
     * Returns how many points must have been passed before the thread that has passed this one goes on: those of other threads up to its own next
     * one; 0 if there are none. Behind its last point, the thread in the block waits for all points; another thread waits only for that one's point,
     * because it may have a lock that a third one needs; and not for one before which that thread waits, because that thread may need it, too.
     */
    int untilBehind(Point point) {
        int following = point.index + 1;
        int until = following;
        while (until < points.length && !points[until].thread.equals(point.thread)) {
            until++;
        }
        if (until == points.length && !isOfHolder(point)) {
            return following < points.length && isOfHolder(points[following]) && !points[following].isApproached ? following + 1 : 0;
        }
        return until > following ? until : 0;
    }

    /**
     * Whether a thread behind a point of its own has to wait: one of the first {@code until} points was not passed, or a thread that only looked
     * passed the last of them. On a busy machine that thread may have come before this one began to wait.
     */
    boolean hasToWait(int until) {
        return next.get() < until || until > 0 && points[until - 1].looker != null;
    }

    /**
     * Whether the thread of this point has to wait before it: an earlier point was not passed, and no such point is its own, because a thread cannot
     * wait for itself.
     */
    boolean isEarly(Point point) {
        for (int n = next.get(); n < point.index; n++) {
            if (!points[n].isPassed && points[n].thread.equals(point.thread)) {
                return false;
            }
        }
        return !point.isPassed && next.get() < point.index;
    }
}
