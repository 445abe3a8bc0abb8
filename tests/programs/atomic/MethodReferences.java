package atomic;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import schedule.Steps;

/**
 * One call that a reference to a method makes is atomic, and what happens while a lock is held that was taken so.
 */
public class MethodReferences {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private int guarded;

    void addIfAbsent(String key) {
        BiFunction<String, Integer, Integer> putIfAbsent = map::putIfAbsent;
        putIfAbsent.apply(key, 1);
    }

    int increment() {
        IntSupplier increment = number::incrementAndGet;
        return increment.getAsInt();
    }

    void locked() {
        guarded(lock::lock, lock::unlock);
    }

    private void guarded(Runnable take, Runnable give) {
        take.run();
        try {
            guarded++;
        } finally {
            give.run();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        MethodReferences p = new MethodReferences();
        Steps.run(() -> {
            p.addIfAbsent("k");
            p.increment();
            p.locked();
            Steps.done(1);
            Steps.await(2);
            p.addIfAbsent("k");
            p.increment();
            p.locked();
        }, () -> {
            Steps.await(1);
            p.addIfAbsent("k");
            p.increment();
            p.locked();
            Steps.done(2);
        });
        System.out.println(p.map + " " + p.number + " " + p.guarded);
    }
}
