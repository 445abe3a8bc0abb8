package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.steering.Ending;
import dev.regiontrack.runtime.steering.Hold;
import dev.regiontrack.runtime.steering.Next;
import dev.regiontrack.runtime.steering.OnStack;
import dev.regiontrack.runtime.steering.Others;
import dev.regiontrack.runtime.steering.Place;
import dev.regiontrack.runtime.steering.Plan;
import dev.regiontrack.runtime.steering.Steering;
import dev.regiontrack.runtime.steering.Watcher;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the program by a schedule. A thread that has passed its switch point is held until the next ones, of other threads, were passed; a thread that
 * is about to pass a point too early waits until the points before it were passed. Both holds end where steering ends a hold; the run then leaves the
 * schedule, and the bridge is informed. The run also leaves the schedule if a thread passes a point before its turn, or if all points were passed,
 * but the block did not reach its last place. From then on any thread is held, as by a schedule without points, because the violation can still
 * happen in other instances of the block. The same applies if the block reached its last place without a violation: this time the threads had passed
 * the places on other objects. If another thread passes the last point, it waits until the block has come to its last place.
 *
 * <p>Replay changes nothing but time.
 */
public final class Replay implements Watcher {
    private static final long NANOS = 1_000_000;
    private static final long NANOS_PER_MICRO = 1000;
    /** The longest time that a thread may run alone, in nanoseconds: one that only looked, or the one in the block on the way to its last place. */
    private static final long LONGEST_NEXT = 1_000_000_000;
    private static final char TAB = '\t';

    private final Order order;
    /** The longest hold, and the longest one while another thread is to run alone, in nanoseconds. */
    private final long patience;
    private final long longestNext;
    /** The block has reached its last place after all points were passed. */
    private volatile boolean isThrough;
    /** The thread in the block, once it has come to a point. */
    private volatile Thread inBlock;

    Replay(List<Point> points, long patience, long longestNext) {
        order = new Order(points.toArray(new Point[0]));
        this.patience = patience;
        this.longestNext = longestNext;
    }

    /**
     * Applies the plan's schedule, if it has one; no thread is held longer than {@code patience} milliseconds. With a debugger a thread can stand
     * still anywhere. Must be called before the runtime is armed.
     */
    public static void turnOn(long patience, boolean isDebugged) {
        List<Point> points = new ArrayList<>();
        for (String[] columns : Plan.points()) {
            int at = 1;
            String thread = columns[at++];
            Place place = Plan.named(columns[at++]);
            int times = Integer.parseInt(columns[at++]);
            Place before = Plan.named(columns[at++]);
            points.add(new Point(points.size(), thread, place, times, before, columns[at].equals("1")));
        }
        if (!points.isEmpty()) {
            long nanos = patience * NANOS;
            Steering.tell(new Replay(points, nanos, isDebugged ? nanos : Math.min(nanos, LONGEST_NEXT)));
        }
    }

    @Override
    public void passed(Place place, int times, ThreadState t) {
        if (isDone()) {
            return;
        }
        boolean isPoint = false;
        for (Point point : order.points()) {
            if (point.place == place && point.times == times && !point.isPassed && point.isOf(t)) {
                isPoint = true;
                noteHolder(point);
                boolean isInTurn = order.isTurnOf(point);
                t.settle();
                try (Inside inside = t.inside()) {
                    // Before other threads go on, because they can end the run.
                    describe("reached" + TAB + point.index + TAB + (isInTurn ? 1 : 0), t);
                }
                order.pass(point);
                SwitchPoint.reached(point.index + 1, point.thread, place.text);
                if (!(place.isHeldLater() && order.isOfHolder(point))) {
                    hold(point, order.untilBehind(point), true, t);
                }
                if (!isInTurn) {
                    open("early", t);
                }
            }
        }
        if (isPoint && order.isOver() && !isOfBlock(t) && !place.isLook()) {
            rest(place, t);
        }
        if (order.isOver() && isOfBlock(t)) {
            if (place.isLast() && !(isPoint && place.isFirst())) {
                isThrough = true;
                goOn(t);
            } else if (!isPoint && place.isFirst()) {
                open("again", t);
            }
        }
    }

    private void noteHolder(Point point) {
        if (order.isOfHolder(point)) {
            inBlock = Thread.currentThread();
        }
    }

    /** Lets the block come to its last place before this thread goes on, unless the block needs what it has. */
    private void rest(Place place, ThreadState t) {
        if (!canBeHeld(t)) {
            return;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            if (OnStack.isFree()) {
                new Remainder(this, place, inBlock).await(longestNext);
            }
        }
    }

    private static boolean canBeHeld(ThreadState t) {
        return !t.isInInitializer() && !Ending.hasBegun() && Others.isOfProgram(Thread.currentThread());
    }

    /** Whether the block has come to its last place after all points were passed, or the run has left the schedule. */
    boolean isDone() {
        return isThrough || order.isOpen();
    }

    /** Whether the schedule holds this thread in the block. */
    private boolean isOfBlock(ThreadState t) {
        for (Point point : order.points()) {
            if (point.isInBlock) {
                return point.isOf(t);
            }
        }
        return false;
    }

    /** The schedule is complete: if it led to no violation, any thread is held from now on. */
    private void goOn(ThreadState t) {
        t.settle();
        try (Inside inside = t.inside()) {
            if (!Plan.isLeft()) {
                return;
            }
        }
        open("through", t);
    }

    /** Leaves the schedule. */
    private void open(String why, ThreadState t) {
        if (order.open()) {
            t.settle();
            try (Inside inside = t.inside()) {
                describe("open" + TAB + why, t);
            }
            Steering.holdAny();
        }
    }

    @Override
    public void comes(Place place, ThreadState t) {
        if (isDone()) {
            return;
        }
        for (Point point : order.points()) {
            if (point.before == place && Steering.times(t, point.place) + 1 == point.times && order.isEarly(point) && point.isOf(t)) {
                noteHolder(point);
                hold(point, point.index, false, t);
            }
        }
    }

    /** Holds the thread until the first {@code until} points were passed, if that is worthwhile. */
    private void hold(Point point, int until, boolean isBehind, ThreadState t) {
        boolean hasToWait = isBehind ? order.hasToWait(until) : order.next() < until;
        if (!hasToWait || !canBeHeld(t)) {
            return;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            if (!OnStack.isFree()) {
                if (order.next() < until) {
                    describe("gave-up" + TAB + point.index + TAB + (isBehind ? 1 : 0) + TAB + "barred", t);
                    open("vain", t);
                }
                return;
            }
            SwitchPoint.waits(point.index + 1, isBehind, point.thread, point.place.text);
            long start = System.nanoTime();
            Hold hold = new Turn(order, until, point.place);
            boolean isMet = hold.await(patience);
            Point last = order.points()[until - 1];
            Thread looker = last.looker;
            if (isMet && isBehind && looker != null) {
                last.looker = null;
                new Next(looker, Turn.LOOKS).await(longestNext);
            }
            long took = System.nanoTime() - start;
            if ((isBehind || point.isApproached) && order.isOfHolder(point)) {
                Session.transport().describe(NativeBridge.HELD, t.number, "0" + TAB + took / NANOS_PER_MICRO + TAB + (isMet ? 1 : 0) + TAB + t.position);
            }
            if (!isMet && !order.isOpen() && !point.place.isOver() && !Ending.hasBegun()) {
                String why = hold.wasInterrupted() ? "interrupted" : took >= patience ? "time" : "nobody";
                describe("gave-up" + TAB + point.index + TAB + (isBehind ? 1 : 0) + TAB + why, t);
                open("vain", t);
            }
        }
    }

    private static void describe(String text, ThreadState t) {
        Session.transport().describe(NativeBridge.SCHEDULE, t.number, text);
    }
}
