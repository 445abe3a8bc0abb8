package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import schedule.Interference;
import schedule.Steps;

/**
 * Methods that look like those of {@code atomic.ReadsWithoutConsequence}, but keep or use what they have read before they look again, or have done something else
 * meanwhile.
 */
public class ReadsWithConsequence {
    private static final VarHandle FIELD;

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(ReadsWithConsequence.class, "field", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicInteger n = new AtomicInteger();
    private final AtomicInteger m = new AtomicInteger();
    private final AtomicIntegerArray elements = new AtomicIntegerArray(2);
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final Object lock = new Object();
    private volatile int field;
    private int rounds;
    private volatile Object seen;
    private volatile Object other;
    private volatile boolean isReady;

    /** The value of the first attempt is returned. */
    // finding: violating.ReadsWithConsequence.keepsTheFirst() stale check-then-act on an atomic variable
    int keepsTheFirst() {
        int first = n.get();
        while (first < Interference.END && Interference.$jacocoNow <= first) {
            Thread.yield();
        }
        int c;
        do {
            c = n.get();
        } while (!n.compareAndSet(c, c + 1));
        return c - first;
    }

    /** The value of a failed attempt is returned. */
    // finding: violating.ReadsWithConsequence.keepsTheLast() unrepeatable read
    int keepsTheLast() {
        int last = 0;
        for (;;) {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return last;
            }
            last = c + 1;
        }
    }

    /** The limit comes from a failed attempt. */
    // finding: violating.ReadsWithConsequence.keepsALimit() unrepeatable read
    int keepsALimit() {
        int limit = -1;
        for (;;) {
            int c = n.get();
            if (limit < 0) {
                limit = c;
            }
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return c - limit;
            }
        }
    }

    /** A failed attempt has written. */
    // finding: violating.ReadsWithConsequence.countsItsRounds() unrepeatable read
    int countsItsRounds() {
        for (;;) {
            int c = n.get();
            rounds++;
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return rounds;
            }
        }
    }

    /** The same after the attempt has failed. */
    // finding: violating.ReadsWithConsequence.countsItsFailures() unrepeatable read
    int countsItsFailures() {
        for (;;) {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return rounds;
            }
            rounds++;
        }
    }

    /** An attempt takes a lock and gives it back. */
    // finding: violating.ReadsWithConsequence.locksMeanwhile() unrepeatable read
    int locksMeanwhile() {
        int c;
        int looks = 0;
        do {
            c = n.get();
            synchronized (lock) {
                looks++;
            }
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!n.compareAndSet(c, c + 1));
        return looks;
    }

    /** What is compared is another variable. */
    // finding: violating.ReadsWithConsequence.setsAnother() stale check-then-act on an atomic variable
    int setsAnother() {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        m.compareAndSet(0, c);
        return n.incrementAndGet() - c;
    }

    /** The element that is compared is another one. */
    // finding: violating.ReadsWithConsequence.readsAnotherElement(int,int) unrepeatable read
    int readsAnotherElement(int i, int j) {
        int c = elements.get(i);
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        elements.compareAndSet(j, 0, c);
        return elements.get(i) - c;
    }

    /** What is set follows from what was read, and does not tell whether it has changed. */
    // finding: violating.ReadsWithConsequence.expectsSomethingElse() lost update
    int expectsSomethingElse() {
        int c = field;
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        while (!FIELD.compareAndSet(this, Interference.END, c)) {
            Thread.onSpinWait();
        }
        return Interference.END - c;
    }

    /** It tells at the end how often it has looked. */
    // finding: violating.ReadsWithConsequence.tellsHowOften() unrepeatable read
    int tellsHowOften() {
        int looks = 0;
        while (n.get() < Interference.END) {
            looks++;
        }
        return looks;
    }

    private int tells(int c) {
        rounds++;
        return c;
    }

    private boolean isAtEnd() {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        return c >= Interference.END;
    }

    private boolean set(int from, int to) {
        return n.compareAndSet(from, to);
    }

    /** The method that it calls in an attempt writes. */
    // finding: violating.ReadsWithConsequence.writesByMethod() unrepeatable read
    int writesByMethod() {
        for (;;) {
            int c = tells(n.get());
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return rounds;
            }
        }
    }

    /** The method that it calls reads; how often it says no is told. */
    // finding: violating.ReadsWithConsequence.tellsHowOftenByMethod() unrepeatable read
    int tellsHowOftenByMethod() {
        int looks = 0;
        while (!isAtEnd()) {
            looks++;
        }
        return looks;
    }

    /** The value of an attempt that has failed in another method is returned. */
    // finding: violating.ReadsWithConsequence.keepsTheLastOfSetter() unrepeatable read
    int keepsTheLastOfSetter() {
        int last = 0;
        for (;;) {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (set(c, c + 1)) {
                return last;
            }
            last = c + 1;
        }
    }

    /** The second look is at another field. */
    // finding: violating.ReadsWithConsequence.looksElsewhere() lost update
    void looksElsewhere() {
        if (seen == null) {
            Steps.done(1);
            Steps.await(2);
            synchronized (this) {
                if (other == null) {
                    seen = "mine";
                }
            }
        }
    }

    /** What was seen at first is used after the second look. */
    // finding: violating.ReadsWithConsequence.usesTheFirstLook() unrepeatable read
    Object usesTheFirstLook() {
        Object first = seen;
        if (first == null) {
            synchronized (this) {
                Steps.done(3);
                Steps.await(4);
                if (seen == null) {
                    seen = "mine";
                }
            }
        }
        return first;
    }

    private void reset() {
        n.set(0);
        m.set(0);
        field = 0;
        rounds = 0;
        elements.set(0, 0);
        elements.set(1, 0);
    }

    // waits inside: violating.ReadsWithConsequence.count(java.util.function.BooleanSupplier,java.util.function.IntSupplier)
    private void count(BooleanSupplier method, IntSupplier next) throws InterruptedException {
        Interference.until(this::reset, next, method);
    }

    public static void main(String[] args) throws InterruptedException {
        ReadsWithConsequence r = new ReadsWithConsequence();
        r.count(() -> r.keepsTheFirst() > 0, r.n::incrementAndGet);
        r.count(() -> r.keepsTheLast() > 0, r.n::incrementAndGet);
        r.count(() -> r.keepsALimit() > 0, r.n::incrementAndGet);
        r.count(() -> r.countsItsRounds() > 1, r.n::incrementAndGet);
        r.count(() -> r.countsItsFailures() > 0, r.n::incrementAndGet);
        r.count(() -> r.locksMeanwhile() > 1, r.n::incrementAndGet);
        r.count(() -> r.setsAnother() > 1, r.n::incrementAndGet);
        r.count(() -> r.readsAnotherElement(0, 1) > 0, () -> r.elements.incrementAndGet(0));
        r.count(() -> r.expectsSomethingElse() > 0, () -> (int) FIELD.getAndAdd(r, 1) + 1);
        r.count(() -> r.tellsHowOften() > 0, r.n::incrementAndGet);
        r.count(() -> r.writesByMethod() > 1, r.n::incrementAndGet);
        r.count(() -> r.tellsHowOftenByMethod() > 0, r.n::incrementAndGet);
        r.count(() -> r.keepsTheLastOfSetter() > 0, r.n::incrementAndGet);
        Steps.run(r::looksElsewhere, () -> {
            Steps.await(1);
            r.seen = "yours";
            Steps.done(2);
        });
        r.seen = null;
        Steps.run(r::usesTheFirstLook, () -> {
            Steps.await(3);
            r.seen = "yours";
            Steps.done(4);
        });
        System.out.println(r.seen);
    }
}
