package rounds;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Gate;

/** Methods that look like those of {@code rounds.Claims}, but something follows from a round that has failed, or the {@code compareAndSet} of one that has read what is stale succeeds. */
public class ClaimsInVain {
    private static final VarHandle FIELD;
    private static final AtomicLongFieldUpdater<ClaimsInVain> UPDATER = AtomicLongFieldUpdater.newUpdater(ClaimsInVain.class, "updated");

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(ClaimsInVain.class, "field", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicInteger index = new AtomicInteger();
    private final AtomicInteger limit = new AtomicInteger(5);
    private final AtomicInteger other = new AtomicInteger();
    private final AtomicReference<Object> state = new AtomicReference<>("open");
    private final AtomicReference<Object> owner = new AtomicReference<>();
    private final Cell cell = new Counter();
    private final Counting counting = new Counting();
    private final Object lock = new Object();
    private final int[] table = new int[6];
    private final int[] more = new int[1];
    private volatile boolean isClosed;
    private volatile int field;
    private volatile long updated;
    private volatile int last = 5;
    private int seen;

    /** One that counts how often it is asked. */
    static class Counting {
        private volatile int most = 5;
        private int asked;

        int most() {
            asked++;
            return most;
        }
    }

    /** Another object that compares and sets. */
    interface Cell {
        int get();

        boolean set(int expected, int next);
    }

    static final class Counter implements Cell {
        private final AtomicInteger value = new AtomicInteger();

        @Override
        public int get() {
            return value.get();
        }

        @Override
        public boolean set(int expected, int next) {
            return value.compareAndSet(expected, next);
        }
    }

    // finding: rounds.ClaimsInVain.keepsWhatItFound() inconsistent view
    boolean keepsWhatItFound() {
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
            seen = p;
        }
    }

    // finding: rounds.ClaimsInVain.returnsTheFirst() inconsistent view
    int returnsTheFirst() {
        int first = -1;
        for (;;) {
            int p = index.get();
            int most = limit.get();
            if (first < 0) {
                first = most;
            }
            if (p >= most) {
                return -1;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return first;
            }
        }
    }

    // finding: rounds.ClaimsInVain.countsItsFailures() inconsistent view
    boolean countsItsFailures() {
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
            seen++;
        }
    }

    // finding: rounds.ClaimsInVain.writesBefore() inconsistent view
    boolean writesBefore() {
        for (;;) {
            int p = index.get();
            int most = limit.get();
            if (p >= most) {
                return false;
            }
            table[p] = most;
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** The {@code compareAndSet} succeeds, but who has closed has not seen that. */
    // finding: rounds.ClaimsInVain.claimsOfClosed() inconsistent view
    boolean claimsOfClosed() {
        for (;;) {
            if (isClosed) {
                return false;
            }
            int p = index.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** The same in the round after one that has failed. */
    // finding: rounds.ClaimsInVain.claimsOfClosedAgain() inconsistent view
    boolean claimsOfClosedAgain() {
        for (;;) {
            if (isClosed) {
                return false;
            }
            int p = index.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            while (Gate.$jacocoShut == 2 && p > 0) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** It goes round again also if it has succeeded. */
    // finding: rounds.ClaimsInVain.claimsUntilClosed() inconsistent view
    void claimsUntilClosed() {
        while (!isClosed) {
            int p = index.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            index.compareAndSet(p, p + 1);
        }
    }

    // finding: rounds.ClaimsInVain.claimsAll() inconsistent view
    void claimsAll() {
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return;
            }
            index.compareAndSet(p, p + 1);
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsByMethods() inconsistent view
    boolean claimsByMethods() {
        int p;
        do {
            if (isClosed()) {
                return false;
            }
            p = index();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
        } while (!casIndex(p, p + 1));
        return true;
    }

    private boolean isClosed() {
        return isClosed;
    }

    private int index() {
        return index.get();
    }

    private boolean casIndex(int expected, int next) {
        return index.compareAndSet(expected, next);
    }

    // finding: rounds.ClaimsInVain.claimsInAnother() inconsistent view
    boolean claimsInAnother() {
        for (;;) {
            if (isClosed) {
                return false;
            }
            int p = cell.get() + more[0];
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (cell.set(p, p + 1)) {
                return true;
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsInAnotherUntilClosed() inconsistent view
    void claimsInAnotherUntilClosed() {
        while (!isClosed) {
            int p = cell.get() + more[0];
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            cell.set(p, p + 1);
        }
    }

    // finding: rounds.ClaimsInVain.claimsByHandle() inconsistent view
    boolean claimsByHandle() {
        for (;;) {
            int p = (int) FIELD.getAcquire(this);
            if (isClosed) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (FIELD.compareAndSet(this, p, p + 1)) {
                return true;
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsByUpdater() inconsistent view
    boolean claimsByUpdater() {
        for (;;) {
            long p = UPDATER.get(this);
            if (isClosed) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (UPDATER.compareAndSet(this, p, p + 1)) {
                return true;
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsOwned(java.lang.Object) inconsistent view
    boolean claimsOwned(Object next) {
        for (;;) {
            Object now = state.get();
            if (owner.get() != null) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (state.compareAndSet(now, next)) {
                return true;
            }
        }
    }

    /** What it exchanges it also returns. */
    // finding: rounds.ClaimsInVain.claimsByExchange() inconsistent view
    boolean claimsByExchange() {
        for (;;) {
            int p = (int) FIELD.getAcquire(this);
            if (p >= last) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if ((int) FIELD.compareAndExchange(this, p, p + 1) == p) {
                return true;
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsUnderLock() inconsistent view
    boolean claimsUnderLock() {
        for (;;) {
            int p = index.get();
            synchronized (lock) {
                if (p >= limit.get()) {
                    return false;
                }
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** The round ends with an exception, whose handler uses what was read. */
    // finding: rounds.ClaimsInVain.claimsOrCatches() inconsistent view
    int claimsOrCatches() {
        int p = 0;
        try {
            for (;;) {
                p = index.get();
                while (Gate.$jacocoShut == 1) {
                    Thread.yield();
                }
                if (table[limit.get()] > p || index.compareAndSet(p, p + 1)) {
                    return -1;
                }
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return p;
        }
    }

    /** The same without a handler. */
    // finding: rounds.ClaimsInVain.claimsOrFails() inconsistent view
    int claimsOrFails() {
        for (;;) {
            int p = index.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (table[limit.get()] > p || index.compareAndSet(p, p + 1)) {
                return -1;
            }
        }
    }

    // finding: rounds.ClaimsInVain.returnsWhatItFound() inconsistent view
    int returnsWhatItFound() {
        for (;;) {
            int p = index.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (p < limit.get()) {
                return p;
            }
            if (index.compareAndSet(p, p + 1)) {
                return -1;
            }
        }
    }

    /** The limit has changed since the round read it. */
    // finding: rounds.ClaimsInVain.claimsAndMovesTheLimit() lost update by get and set
    boolean claimsAndMovesTheLimit() {
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                limit.set(p + 6);
                return true;
            }
        }
    }

    /** What it has read before its rounds is stale in the second one. */
    // finding: rounds.ClaimsInVain.claimsBelowAnEarlier() inconsistent view
    boolean claimsBelowAnEarlier() {
        int before = limit.get();
        field = before;
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** What it has written before its rounds is overwritten in the second one. */
    // finding: rounds.ClaimsInVain.setsTheLimitAndClaims() interference
    boolean setsTheLimitAndClaims() {
        limit.set(7);
        for (;;) {
            int p = index.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** It is called in a round that fails, and is not atomic itself. */
    // finding: rounds.ClaimsInVain.most() inconsistent view
    int most() {
        int one = limit.get();
        while (Gate.$jacocoShut == 1) {
            Thread.yield();
        }
        return one + last;
    }

    // finding: rounds.ClaimsInVain.claimsBelowTwo() inconsistent view
    boolean claimsBelowTwo() {
        for (;;) {
            int p = index.get();
            if (p >= most()) {
                return false;
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    // finding: rounds.ClaimsInVain.claimsOfAnother() unrepeatable read
    boolean claimsOfAnother() {
        for (;;) {
            int p = index.get();
            if (p >= counting.most()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** The first of two succeeds, the second one fails. */
    // finding: rounds.ClaimsInVain.claimsTwo() inconsistent view
    boolean claimsTwo() {
        for (;;) {
            int p = index.get();
            int q = other.get();
            if (p >= limit.get()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (other.compareAndSet(q, q + 1) && index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    private void counts() {
        limit.set(4);
        last = 4;
        field = 1;
        index.incrementAndGet();
    }

    private void countsOnly() {
        index.incrementAndGet();
    }

    private void closes() {
        isClosed = true;
        seen = index.get() + field + (int) updated + cell.get();
    }

    private void owns() {
        owner.set(this);
        seen = state.get().hashCode();
    }

    private void empties() {
        index.set(1);
        limit.set(6);
    }

    private void sets() {
        limit.set(6);
    }

    private void reset() {
        index.set(0);
        limit.set(5);
        last = 5;
        field = 0;
        isClosed = false;
    }

    // finding: rounds.ClaimsInVain.claimsOrSays() inconsistent view
    private void claimsOrSays() {
        try {
            claimsOrFails();
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("no such element");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ClaimsInVain c = new ClaimsInVain();
        for (Runnable method : new Runnable[] {c::keepsWhatItFound, c::returnsTheFirst, c::countsItsFailures, c::writesBefore, c::claimsByExchange, c::claimsUnderLock,
            c::claimsBelowAnEarlier, c::setsTheLimitAndClaims, c::claimsBelowTwo, c::claimsOfAnother, c::claimsTwo, c::claimsAll}) {
            Gate.during(method, c::counts);
            c.reset();
        }
        Runnable owned = () -> c.claimsOwned("next");
        for (Runnable method : new Runnable[] {c::claimsOfClosed, c::claimsUntilClosed, c::claimsByMethods, c::claimsInAnother, c::claimsInAnotherUntilClosed,
            c::claimsByHandle, c::claimsByUpdater}) {
            Gate.during(method, c::closes);
            c.reset();
        }
        Gate.during(c::claimsOfClosedAgain, c::countsOnly, c::closes);
        c.reset();
        Gate.during(owned, c::owns);
        for (Runnable method : new Runnable[] {c::claimsOrCatches, c::claimsOrSays, c::returnsWhatItFound}) {
            Gate.during(method, c::empties);
            c.reset();
        }
        Gate.during(c::claimsAndMovesTheLimit, c::sets);
        System.out.println(c.index.get() + " " + c.limit.get() + " " + c.field + " " + c.updated + " " + c.state.get());
    }
}
