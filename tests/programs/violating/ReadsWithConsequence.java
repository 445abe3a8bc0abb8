package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
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
    private final Map<String, Object> map = new ConcurrentHashMap<>();
    private int rounds;
    private int keys;
    private volatile Object seen;
    private volatile Object other;
    private volatile boolean isAsked;
    private volatile boolean isAnswered;
    private volatile int answer;

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
    // finding: violating.ReadsWithConsequence.expectsSomethingElse() stale check-then-act on an atomic variable
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

    /** What was seen at first decides whether it counts. */
    // finding: violating.ReadsWithConsequence.countsItsLooks() unrepeatable read
    void countsItsLooks() {
        if (seen == null) {
            synchronized (this) {
                Steps.done(20);
                Steps.await(21);
                if (seen == null) {
                    seen = "mine";
                }
            }
            rounds++;
        }
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

    private static Object made(int step) {
        Steps.done(step);
        Steps.await(step + 1);
        return "mine";
    }

    /** That nothing was found at first is counted, whatever the second look finds. */
    // finding: violating.ReadsWithConsequence.countsKeys(java.lang.String,int) stale check-then-act on a collection
    void countsKeys(String key, int step) {
        if (!map.containsKey(key)) {
            map.putIfAbsent(key, made(step));
            keys++;
        }
    }

    /** That nothing was found at first is told. */
    // finding: violating.ReadsWithConsequence.tellsThatItIsNew(java.lang.String,int) unrepeatable read
    boolean tellsThatItIsNew(String key, int step) {
        if (map.get(key) == null) {
            map.putIfAbsent(key, made(step));
            return true;
        }
        return false;
    }

    /** The value that was made is returned, whatever the second look finds. */
    // finding: violating.ReadsWithConsequence.returnsItsOwn(java.lang.String,int) unrepeatable read
    Object returnsItsOwn(String key, int step) {
        Object value = map.get(key);
        if (value == null) {
            value = made(step);
            map.putIfAbsent(key, value);
        }
        return value;
    }

    /** Nothing looks again. */
    // finding: violating.ReadsWithConsequence.looksAndPuts(java.lang.String,int) lost update by get and put
    void looksAndPuts(String key, int step) {
        if (map.get(key) == null) {
            map.put(key, made(step));
        }
    }

    /** Its wait can end without another thread. */
    // finding: violating.ReadsWithConsequence.asksForAWhile(long) interference
    int asksForAWhile(long nanos) {
        long start = System.nanoTime();
        isAsked = true;
        while (!isAnswered && System.nanoTime() - start < nanos) {
            Thread.yield();
        }
        return answer;
    }

    void answers() {
        if (isAsked) {
            answer = 7;
            isAnswered = true;
        }
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
        int step = 5;
        for (IntConsumer method : new IntConsumer[] {s -> r.countsKeys("key", s), s -> r.tellsThatItIsNew("key", s), s -> r.returnsItsOwn("key", s), s -> r.looksAndPuts("key", s)}) {
            int now = step;
            r.map.clear();
            Steps.run(() -> method.accept(now), () -> {
                Steps.await(now);
                r.map.put("key", "yours");
                Steps.done(now + 1);
            });
            step += 2;
        }
        r.seen = null;
        Steps.run(r::countsItsLooks, () -> {
            Steps.await(20);
            r.seen = "yours";
            Steps.done(21);
        });
        Thread asks = new Thread(() -> r.asksForAWhile(Long.MAX_VALUE));
        asks.start();
        Steps.awaitYield(asks);
        r.answers();
        asks.join();
        System.out.println(r.seen + " " + r.keys);
    }
}
