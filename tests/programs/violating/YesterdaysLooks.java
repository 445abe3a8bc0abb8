package violating;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import schedule.Interference;
import schedule.Steps;

/**
 * A {@code compareAndSet} that succeeds has found the value that it expected, which says nothing of an older look that has decided or made something else; and other accesses whose value
 * is a stale one: iterators that threads share, fields that are filled and set, too.
 */
public class YesterdaysLooks {
    private static final int STOPPED = 2;

    private final AtomicInteger n = new AtomicInteger();
    private final List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    private final Iterator<Integer> steps = list.iterator();
    private final Iterator<Integer> locked = list.iterator();
    private final Enumeration<Integer> elements = new Vector<>(list).elements();
    private final Lock lock = new ReentrantLock();
    private int retries;
    private int limit;
    private int step;

    /** Lets the other thread do what it does now. */
    private void meanwhile() {
        step++;
        Steps.done(2 * step - 1);
        Steps.await(2 * step);
    }

    /** Puts in what follows from the older value. Where that is the last one, nothing comes between, so the method is tried again. */
    // finding: violating.YesterdaysLooks.addsToTheOlder() stale check-then-act on an atomic variable
    boolean addsToTheOlder() {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        return n.compareAndSet(n.get(), c + 1) && c < Interference.END;
    }

    /** Expects what it has computed from it. */
    // finding: violating.YesterdaysLooks.expectsTheNext() stale check-then-act on an atomic variable
    boolean expectsTheNext() {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        return n.compareAndSet(c + 1, c);
    }

    /** Expects a state other than those for which it has looked. */
    // finding: violating.YesterdaysLooks.expectsAnotherState() stale check-then-act on an atomic variable
    boolean expectsAnotherState() {
        if (n.get() < STOPPED) {
            while (Interference.$jacocoNow < STOPPED) {
                Thread.yield();
            }
            return n.compareAndSet(STOPPED, STOPPED + 1);
        }
        return false;
    }

    /** There was room when it looked. */
    // finding: violating.YesterdaysLooks.joinsTooLate() stale check-then-act on an atomic variable
    boolean joinsTooLate() {
        if (n.get() < STOPPED) {
            while (Interference.$jacocoNow < STOPPED) {
                Thread.yield();
            }
            int c = n.get();
            return n.compareAndSet(c, c + 1);
        }
        return false;
    }

    // finding: violating.YesterdaysLooks.joinsByMethod() stale check-then-act on an atomic variable
    boolean joinsByMethod() {
        if (count() >= STOPPED) {
            return false;
        }
        while (Interference.$jacocoNow < STOPPED) {
            Thread.yield();
        }
        int c = count();
        return n.compareAndSet(c, c + 1);
    }

    private int count() {
        return n.get();
    }

    /** Failed attempts are counted, by the result. */
    // finding: violating.YesterdaysLooks.countsByTheResult() unrepeatable read
    boolean countsByTheResult() {
        boolean isDone;
        int before = retries;
        do {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            isDone = n.compareAndSet(c, c + 1);
            retries += isDone ? 0 : 1;
        } while (!isDone);
        return retries > before;
    }

    private synchronized Integer step() {
        return steps.next();
    }

    /** Two steps of an iterator that threads share. */
    // finding: violating.YesterdaysLooks.goesTwoSteps() stale check-then-act across critical sections
    int goesTwoSteps() {
        int first = step();
        meanwhile();
        return first - step();
    }

    private Integer lockedStep() {
        lock.lock();
        try {
            return locked.next();
        } finally {
            lock.unlock();
        }
    }

    // finding: violating.YesterdaysLooks.goesTwoLockedSteps() stale check-then-act across critical sections
    int goesTwoLockedSteps() {
        int first = lockedStep();
        meanwhile();
        return first - lockedStep();
    }

    private synchronized Integer element() {
        return elements.nextElement();
    }

    // finding: violating.YesterdaysLooks.takesTwoElements() stale check-then-act across critical sections
    int takesTwoElements() {
        int first = element();
        meanwhile();
        return first - element();
    }

    private int limit() {
        if (limit == 0) {
            limit = list.size();
        }
        return limit;
    }

    private void setLimit(int other) {
        limit = other;
    }

    /** A field that is filled, and set by another method. */
    // finding: violating.YesterdaysLooks.asksForTheLimitTwice() unrepeatable read
    int asksForTheLimitTwice() {
        int before = limit();
        meanwhile();
        return limit() - before;
    }

    private void check(boolean isWrong) {
        if (!isWrong) {
            throw new AssertionError("step " + step);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        YesterdaysLooks looks = new YesterdaysLooks();
        looks.limit();
        for (BooleanSupplier method : List.<BooleanSupplier>of(looks::addsToTheOlder, looks::expectsTheNext, looks::expectsAnotherState, looks::joinsTooLate, looks::joinsByMethod,
            looks::countsByTheResult)) {
            Interference.until(() -> looks.n.set(0), looks.n::incrementAndGet, method);
        }
        Steps.run(() -> {
            looks.check(looks.goesTwoSteps() == -2);
            looks.check(looks.goesTwoLockedSteps() == -2);
            looks.check(looks.takesTwoElements() == -2);
            looks.check(looks.asksForTheLimitTwice() != 0);
        }, () -> {
            int at = 0;
            for (Runnable other : List.<Runnable>of(looks::step, looks::lockedStep, looks::element, () -> looks.setLimit(77))) {
                Steps.await(++at);
                other.run();
                Steps.done(++at);
            }
        });
    }
}
