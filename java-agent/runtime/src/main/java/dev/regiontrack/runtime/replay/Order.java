package dev.regiontrack.runtime.replay;

import java.util.concurrent.atomic.AtomicInteger;

/** The switch points of a schedule in their order, and how many of them, from the first one, were passed. Any thread may call. */
final class Order {
    private final Point[] points;
    /** The thread that the schedule holds in the block. */
    private final String holder;
    private final AtomicInteger next = new AtomicInteger();
    /** The run goes another way. */
    private volatile boolean isOpen;

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

    /** How many points, from the first one, were passed. */
    int next() {
        return next.get();
    }

    /** All points were passed. */
    boolean isOver() {
        return next.get() == points.length;
    }

    /** The run goes another way from now on. False if it did. */
    boolean open() {
        boolean wasOpen = isOpen;
        isOpen = true;
        return !wasOpen;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** True if it is the turn of this point: those before it were passed. */
    boolean isTurnOf(Point point) {
        return point.index == next.get();
    }

    /** A thread passes a point, for the first time. Those that wait for that go on at once, also if this thread does not run. */
    void pass(Point point) {
        point.looker = point.isLook && isTurnOf(point) ? Thread.currentThread() : null;
        point.isPassed = true;
        for (int n = next.get(); n < points.length && points[n].isPassed; n = next.get()) {
            next.compareAndSet(n, n + 1);
        }
    }

    /** True for a point of the thread that the schedule holds in the block. */
    boolean isOfHolder(Point point) {
        return point.thread.equals(holder);
    }

    /**
     * For how many points the thread waits that has passed this one: until those of other threads were passed that come before its own next one; 0 if there are none. Behind its
     * last one, the thread in the block waits for all, and another one only for that: it may have a lock that a third one needs.
     */
    int untilBehind(Point point) {
        int following = point.index + 1;
        int until = following;
        while (until < points.length && !points[until].thread.equals(point.thread)) {
            until++;
        }
        if (until == points.length && !isOfHolder(point)) {
            return following < points.length && isOfHolder(points[following]) ? following + 1 : 0;
        }
        return until > following ? until : 0;
    }

    /**
     * Whether a thread has to wait that is behind a point of its own: some of the first so many points were not passed, or the last of them was passed by a thread that only looked. That
     * one may have been there before this one came to wait, if the machine is busy.
     */
    boolean hasToWait(int until) {
        return next.get() < until || until > 0 && points[until - 1].looker != null;
    }

    /** Whether the thread of this point has to wait before it: some were not passed that come before, and none of them is its own, because it cannot wait for itself. */
    boolean isEarly(Point point) {
        for (int n = next.get(); n < point.index; n++) {
            if (!points[n].isPassed && points[n].thread.equals(point.thread)) {
                return false;
            }
        }
        return !point.isPassed && next.get() < point.index;
    }
}
