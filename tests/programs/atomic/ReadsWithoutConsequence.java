package atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntSupplier;
import schedule.Interference;
import schedule.Steps;

/**
 * Methods that read something, and look again before anything follows from it: loops around a {@code compareAndSet}, waits by spinning, checks that are repeated
 * under a lock. Another thread writes between the two reads, which is no interference. {@code violating.ReadsWithConsequence} has methods that look like these.
 */
public class ReadsWithoutConsequence {
    private static final VarHandle FIELD;
    private static final AtomicIntegerFieldUpdater<ReadsWithoutConsequence> UPDATER =
        AtomicIntegerFieldUpdater.newUpdater(ReadsWithoutConsequence.class, "updated");
    private static final AtomicInteger SHARED = new AtomicInteger();

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(ReadsWithoutConsequence.class, "field", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AtomicInteger n = new AtomicInteger();
    private final AtomicLong wide = new AtomicLong();
    private final AtomicIntegerArray elements = new AtomicIntegerArray(2);
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile int field;
    private volatile int updated;
    private volatile boolean isReady;
    private volatile boolean isOpen;
    private volatile boolean isAsked;
    private volatile boolean isAnswered;
    private volatile int answer;
    private final Map<String, Object> map = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Integer, Integer> numbers = new ConcurrentHashMap<>();
    private Object made;
    private volatile Object seen;
    private int other;

    int doWhile() {
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!n.compareAndSet(c, c + 1));
        return c;
    }

    boolean untilLimit(int limit) {
        for (;;) {
            int c = n.get();
            if (c >= limit) {
                return false;
            }
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (n.compareAndSet(c, c + 1)) {
                return true;
            }
        }
    }

    boolean readAtTheEndBelow(int limit) {
        int c = n.get();
        while (c < limit) {
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            int next = c + 1;
            if (n.compareAndSet(c, next)) {
                return true;
            }
            c = n.get();
        }
        return false;
    }

    int readAtTheEnd() {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        while (!n.weakCompareAndSetPlain(c, c + 1)) {
            c = n.get();
        }
        return c + 1;
    }

    int ofField() {
        for (;;) {
            int c = field;
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (FIELD.compareAndSet(this, c, c + 1)) {
                return c;
            }
        }
    }

    int ofHandle() {
        for (;;) {
            int c = (int) FIELD.getVolatile(this);
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (FIELD.weakCompareAndSet(this, c, c + 1)) {
                return c;
            }
            Thread.yield();
        }
    }

    int ofUpdater() {
        int c;
        do {
            c = UPDATER.get(this);
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!UPDATER.compareAndSet(this, c, c + 1));
        return c;
    }

    int ofElement(int i) {
        int c;
        do {
            c = elements.get(i);
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!elements.compareAndSet(i, c, c + 1));
        return c;
    }

    static int ofStatic() {
        int c;
        do {
            c = SHARED.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!SHARED.compareAndSet(c, c + 1));
        return c;
    }

    static int ofArgument(AtomicInteger of) {
        int c;
        do {
            c = of.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!of.compareAndSet(c, c + 1));
        return c;
    }

    /** Behind the loop the class file forgets the locals that only the loop needs, though they are still there. */
    boolean forgets(long from) {
        boolean isDone;
        {
            long expected = from;
            long next = expected + 1;
            do {
                isDone = wide.compareAndSet(expected, next);
            } while (!isDone && wide.get() == expected);
        }
        return isDone;
    }

    void spins() {
        while (!isReady) {
            Thread.onSpinWait();
        }
    }

    void spinsForTwo() {
        while (!isReady || !isOpen) {
            Thread.yield();
        }
    }

    private int current() {
        return n.get();
    }

    private boolean isReady() {
        return isReady;
    }

    int ofGetter() {
        int c;
        do {
            c = current();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!n.compareAndSet(c, c + 1));
        return c;
    }

    void spinsByGetter() {
        while (!isReady()) {
            Thread.onSpinWait();
        }
    }

    private int currentlyAtMost(int most) {
        int c = n.get();
        while (c < Interference.END && Interference.$jacocoNow <= c) {
            Thread.yield();
        }
        return c > most ? most : c;
    }

    private static int after(int c) {
        return c == Integer.MAX_VALUE ? 0 : c + 1;
    }

    private boolean set(int from, long to) {
        return n.compareAndSet(from, (int) to);
    }

    private boolean isAbove(int limit, long unused) {
        int c = currentlyAtMost(1 << 20);
        return c > limit && !isOpen;
    }

    private static boolean isAbove(ReadsWithoutConsequence of, int limit) {
        return of.isAbove(limit, 1L);
    }

    private boolean triesAbove(int limit) {
        int c = n.get();
        return c >= limit && n.compareAndSet(c, c + 1);
    }

    int ofMethods() {
        int c;
        do {
            c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
        } while (!n.compareAndSet(c, after(c)));
        return c;
    }

    int ofSetter() {
        for (;;) {
            int c = n.get();
            while (c < Interference.END && Interference.$jacocoNow <= c) {
                Thread.yield();
            }
            if (set(c, c + 1L)) {
                return c;
            }
        }
    }

    void spinsByMethods() {
        while (!isAbove(Interference.END - 1, 1L)) {
            Thread.onSpinWait();
        }
    }

    static void spinsByMethodsOf(ReadsWithoutConsequence of) {
        while (!isAbove(of, Interference.END - 1)) {
            Thread.onSpinWait();
        }
    }

    void spinsUntilSet() {
        while (!triesAbove(Interference.END)) {
            Thread.onSpinWait();
        }
    }

    int spinsForMore(int than) {
        int c;
        while ((c = n.get()) <= than) {
            Thread.onSpinWait();
        }
        return c;
    }

    void looksAgain() {
        if (made == null) {
            synchronized (this) {
                if (made == null) {
                    made = "mine";
                }
            }
        }
    }

    Object looksAgainInLocal() {
        Object result = seen;
        if (result == null) {
            synchronized (this) {
                result = seen;
                if (result == null) {
                    result = "mine";
                    seen = result;
                }
            }
        }
        return result;
    }

    void looksAgainUnderLock() {
        if (made == null) {
            lock.lock();
            try {
                if (made == null) {
                    made = "mine";
                }
            } finally {
                lock.unlock();
            }
        }
    }

    boolean looksAndSets() {
        return !isStarted.get() && isStarted.compareAndSet(false, true);
    }

    int failsAndReads() {
        isStarted.compareAndSet(true, false);
        Steps.done(1);
        Steps.await(2);
        return isStarted.get() ? 1 : 0;
    }

    /** What another thread has put into the map meanwhile is found by the second look. */
    private static Object made(int step) {
        Steps.done(step);
        Steps.await(step + 1);
        return "mine";
    }

    private static Function<String, Object> maker(int step) {
        Steps.done(step);
        Steps.await(step + 1);
        return key -> "mine";
    }

    Object looksAndPuts(String key, int step) {
        Object value = map.get(key);
        if (value == null) {
            value = made(step);
            Object before = map.putIfAbsent(key, value);
            if (before != null) {
                value = before;
            }
        }
        return value;
    }

    Integer looksAndReturns(int key, int step) {
        Integer value = numbers.get(key);
        if (value != null) {
            return value;
        }
        Integer made = new Waiting(step).number;
        Integer before = numbers.putIfAbsent(key, made);
        return before != null ? before : made;
    }

    /** A constructor that waits. */
    private static final class Waiting {
        final int number;

        Waiting(int step) {
            Steps.done(step);
            Steps.await(step + 1);
            number = step;
        }
    }

    void asksAndPuts(int step) {
        if (!map.containsKey("key")) {
            map.putIfAbsent("key", made(step));
        }
    }

    void looksAndComputes(String key, int step) {
        if (map.get(key) == null) {
            map.computeIfAbsent(key, maker(step));
        }
    }

    Object looksInMapUnderLock(String key) {
        Object value = map.get(key);
        if (value == null) {
            synchronized (map) {
                value = map.get(key);
                if (value == null) {
                    value = "mine";
                    map.put(key, value);
                }
            }
        }
        return value;
    }

    void spinsForKey(String key) {
        while (!map.containsKey(key)) {
            Thread.onSpinWait();
        }
    }

    /** Not atomic, but it waits for another thread, like who calls {@code join}. */
    // waits inside: atomic.ReadsWithoutConsequence.asks()
    int asks() {
        isAsked = true;
        while (!isAnswered()) {
            Thread.yield();
        }
        return answer;
    }

    private boolean isAnswered() {
        return isAnswered;
    }

    void answers() {
        if (isAsked) {
            answer = 7;
            isAnswered = true;
        }
    }

    private void reset() {
        n.set(0);
        field = 0;
        updated = 0;
        elements.set(1, 0);
        SHARED.set(0);
        wide.set(0);
    }

    // waits inside: atomic.ReadsWithoutConsequence.count(java.lang.Runnable,java.util.function.IntSupplier)
    private void count(Runnable method, IntSupplier next) throws InterruptedException {
        Interference.during(this::reset, next, method);
    }

    /** Another thread sets what the method waits for, step by step, while it waits. */
    // waits inside: atomic.ReadsWithoutConsequence.meanwhile(java.lang.Runnable,java.lang.Runnable,java.lang.Runnable)
    private static void meanwhile(Runnable method, Runnable one, Runnable other) throws InterruptedException {
        Thread waits = new Thread(method);
        waits.start();
        one.run();
        other.run();
        waits.join();
    }

    /** Another thread puts something into the map while the method is at this step. */
    // waits inside: atomic.ReadsWithoutConsequence.duringStep(int,java.lang.Runnable,java.lang.Runnable)
    private void duringStep(int step, Runnable method, Runnable puts) throws InterruptedException {
        Steps.run(method, () -> {
            Steps.await(step);
            puts.run();
            Steps.done(step + 1);
        });
    }

    public static void main(String[] args) throws InterruptedException {
        ReadsWithoutConsequence r = new ReadsWithoutConsequence();
        r.count(r::doWhile, r.n::incrementAndGet);
        r.count(() -> r.untilLimit(1 << 20), r.n::incrementAndGet);
        r.count(() -> r.readAtTheEndBelow(1 << 20), r.n::incrementAndGet);
        r.count(r::readAtTheEnd, r.n::incrementAndGet);
        r.count(r::ofField, () -> (int) FIELD.getAndAdd(r, 1) + 1);
        r.count(r::ofHandle, () -> (int) FIELD.getAndAdd(r, 1) + 1);
        r.count(r::ofUpdater, () -> UPDATER.incrementAndGet(r));
        r.count(() -> r.ofElement(1), () -> r.elements.incrementAndGet(1));
        r.count(ReadsWithoutConsequence::ofStatic, SHARED::incrementAndGet);
        r.count(() -> ofArgument(r.n), r.n::incrementAndGet);
        r.count(r::ofGetter, r.n::incrementAndGet);
        r.count(r::ofMethods, r.n::incrementAndGet);
        r.count(r::ofSetter, r.n::incrementAndGet);
        r.count(r::spinsByMethods, r.n::incrementAndGet);
        r.count(() -> spinsByMethodsOf(r), r.n::incrementAndGet);
        r.count(r::spinsUntilSet, r.n::incrementAndGet);
        r.count(() -> r.forgets(0), () -> (int) r.wide.incrementAndGet());
        r.count(() -> r.spinsForMore(Interference.END - 1), r.n::incrementAndGet);
        meanwhile(r::spins, () -> r.isReady = true, () -> { });
        r.isReady = false;
        meanwhile(r::spinsByGetter, () -> r.isReady = true, () -> { });
        r.isReady = false;
        meanwhile(r::spinsForTwo, () -> r.isOpen = true, () -> r.isReady = true);
        for (Runnable looks : new Runnable[] {r::looksAgain, r::looksAgainInLocal, r::looksAgainUnderLock}) {
            r.made = null;
            r.seen = null;
            Thread[] all = {new Thread(looks), new Thread(looks)};
            for (Thread thread : all) {
                thread.start();
            }
            for (Thread thread : all) {
                thread.join();
            }
        }
        Thread[] all = {new Thread(r::looksAndSets), new Thread(r::looksAndSets)};
        for (Thread thread : all) {
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        r.isStarted.set(false);
        Thread fails = new Thread(r::failsAndReads);
        fails.start();
        Steps.await(1);
        r.isStarted.set(true);
        Steps.done(2);
        fails.join();
        r.duringStep(3, () -> r.looksAndPuts("one", 3), () -> r.map.put("one", "yours"));
        r.duringStep(5, () -> r.looksAndReturns(2, 5), () -> r.numbers.put(2, 2));
        r.duringStep(7, () -> r.asksAndPuts(7), () -> r.map.put("key", "yours"));
        r.duringStep(9, () -> r.looksAndComputes("four", 9), () -> r.map.put("four", "yours"));
        meanwhile(() -> r.spinsForKey("five"), () -> r.map.put("other", "yours"), () -> r.map.put("five", "yours"));
        Thread asks = new Thread(r::asks);
        asks.start();
        Steps.awaitYield(asks);
        r.answers();
        asks.join();
        Thread[] looking = {new Thread(() -> r.looksInMapUnderLock("six")), new Thread(() -> r.looksInMapUnderLock("six"))};
        for (Thread thread : looking) {
            thread.start();
        }
        for (Thread thread : looking) {
            thread.join();
        }
        System.out.println(r.isStarted.get() + " " + r.made + " " + r.seen + " " + r.map.get("one") + " " + r.numbers + " " + r.map.size());
    }
}
