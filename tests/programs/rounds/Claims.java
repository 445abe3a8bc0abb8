package rounds;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import schedule.Gate;

/** The indices, in a class above. */
abstract class WithLimit {
    final AtomicInteger index = new AtomicInteger();
    final AtomicInteger limit = new AtomicInteger(5);

    final int index() {
        return index.get();
    }

    final int limit() {
        return limit.get();
    }

    final boolean casIndex(int expected, int next) {
        return index.compareAndSet(expected, next);
    }
}

/**
 * Methods that read how far they may count, and count by a {@code compareAndSet}. Another thread counts between the two, and sets the limit: the {@code compareAndSet} fails, and
 * nothing follows from what the round has read. {@code rounds.ClaimsInVain} has methods that look like these.
 */
public class Claims extends WithLimit {
    private static final VarHandle FIELD;
    private static final AtomicLongFieldUpdater<Claims> UPDATER = AtomicLongFieldUpdater.newUpdater(Claims.class, "updated");

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Claims.class, "field", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicReference<Object> state = new AtomicReference<>("first");
    private final AtomicReference<Object> owner = new AtomicReference<>();
    private final Most most = new Most();
    private final Cell cell = new Counter();
    private final int[] more = new int[1];
    private volatile int field;
    private volatile long updated;
    private volatile int last = 5;

    /** Another object that is asked. */
    static class Most {
        private volatile int most = 5;

        int most() {
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

    // without rounds: rounds.Claims.claims()
    boolean claims() {
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

    /** In the second round there is nothing left. */
    // without rounds: rounds.Claims.claimsNone()
    boolean claimsNone() {
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

    /** The same, said by an exception. */
    // without rounds: rounds.Claims.claimsOrThrows()
    int claimsOrThrows() {
        int p;
        do {
            p = index.get();
            if (p >= limit.get()) {
                throw new IllegalStateException("nothing left at " + p);
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
        } while (!index.compareAndSet(p, p + 1));
        return p;
    }

    /** The limit is overwritten, too, so the round could not be repeated with the same result. */
    // without rounds: rounds.Claims.claimsBelowAnother()
    boolean claimsBelowAnother() {
        for (;;) {
            int most = limit.get();
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            int p = index.get();
            if (p >= most) {
                return false;
            }
            while (Gate.$jacocoShut == 2) {
                Thread.yield();
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    /** A copy can find out whether what the methods have read has a consequence. */
    // with reads=all: rounds.Claims.claimsByMethods()
    boolean claimsByMethods() {
        int p;
        do {
            p = index();
            if (p >= limit()) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
        } while (!casIndex(p, p + 1));
        return true;
    }

    /** A copy ends where an element is read, so this is a round. */
    // without rounds: rounds.Claims.claimsByMethodsAndElement()
    boolean claimsByMethodsAndElement() {
        int p;
        do {
            p = index();
            if (p >= limit() + more[0]) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
        } while (!casIndex(p, p + 1));
        return true;
    }

    // without rounds: rounds.Claims.claimsOfAnother()
    boolean claimsOfAnother() {
        for (;;) {
            int p = index.get();
            if (p >= most.most()) {
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

    // without rounds: rounds.Claims.claimsInAnother()
    boolean claimsInAnother() {
        for (;;) {
            int p = cell.get() + more[0];
            if (p >= last) {
                return false;
            }
            while (Gate.$jacocoShut == 1) {
                Thread.yield();
            }
            if (cell.set(p, p + 1)) {
                return true;
            }
        }
    }

    // without rounds: rounds.Claims.claimsByHandle()
    boolean claimsByHandle() {
        for (;;) {
            int p = (int) FIELD.getAcquire(this);
            if (p >= last) {
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

    // without rounds: rounds.Claims.claimsByUpdater()
    boolean claimsByUpdater() {
        for (;;) {
            long p = UPDATER.get(this);
            if (p >= last) {
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

    // without rounds: rounds.Claims.claimsOwned(java.lang.Object)
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

    /** The limit was read before the rounds, and used; and is written behind them. */
    // without rounds: rounds.Claims.claimsAndMovesTheLimit()
    boolean claimsAndMovesTheLimit() {
        if (limit.get() == 0) {
            return false;
        }
        field = 0;
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

    /** The other thread has read, after the round, what the method had written before it. */
    // without rounds: rounds.Claims.setsTheLimitAndClaims()
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

    /** The {@code compareAndSet} succeeds, though the limit has changed meanwhile: as if that had come afterwards. */
    boolean claimsBeforeTheLimitChanges() {
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

    private void counts() {
        limit.set(4);
        index.incrementAndGet();
    }

    private void countsUp() {
        index.set(5);
    }

    private void sets() {
        limit.set(6);
    }

    private void countsOthers() {
        last = 4;
        field = 1;
        UPDATER.incrementAndGet(this);
        cell.set(0, 1);
    }

    private void countsOnly() {
        index.incrementAndGet();
    }

    private void countsBelow() {
        most.most = 4;
        index.incrementAndGet();
    }

    private void goesOn() {
        owner.set(this);
        owner.set(null);
        state.set("second");
    }

    private void reset() {
        index.set(0);
        limit.set(5);
        last = 5;
        field = 0;
    }

    // without rounds: rounds.Claims.claimsOrSays()
    private void claimsOrSays() {
        try {
            claimsOrThrows();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Claims c = new Claims();
        Gate.during(c::claims, c::counts);
        c.reset();
        Gate.during(c::claimsNone, c::countsUp);
        c.reset();
        Gate.during(c::claimsOrSays, c::countsUp);
        c.reset();
        Gate.during(c::claimsBelowAnother, c::sets, c::counts);
        c.reset();
        Gate.during(c::claimsByMethods, c::counts);
        c.reset();
        Gate.during(c::claimsByMethodsAndElement, c::counts);
        c.reset();
        Gate.during(c::claimsOfAnother, c::countsBelow);
        c.reset();
        Gate.during(c::claimsInAnother, c::countsOthers);
        c.reset();
        Gate.during(c::claimsByHandle, c::countsOthers);
        c.reset();
        Gate.during(c::claimsByUpdater, c::countsOthers);
        c.reset();
        Gate.during(() -> c.claimsOwned("third"), c::goesOn);
        c.reset();
        Gate.during(c::claimsAndMovesTheLimit, c::countsOnly);
        c.reset();
        Gate.during(c::setsTheLimitAndClaims, c::countsOnly);
        c.reset();
        Gate.during(c::claimsBeforeTheLimitChanges, c::sets);
        System.out.println(c.index.get() + " " + c.limit.get() + " " + c.field + " " + c.updated + " " + c.cell.get() + " " + c.state.get());
    }
}
