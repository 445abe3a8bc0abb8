package unmodelled;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * One case of each thing that is not seen and is counted.
 */
public class Unseen {
    private static final int MANY = 70_000;

    interface Size extends Supplier<Integer>, Serializable {
    }

    private final ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();

    static void inThread(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }

    static int updated(AtomicInteger number) {
        return number.updateAndGet(old -> {
            if (old == 0) {
                try {
                    inThread(() -> number.set(1));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return old + 1;
        });
    }

    static long latched() {
        return new CountDownLatch(1024).getCount() + new CountDownLatch(1025).getCount();
    }

    static long added() throws InterruptedException {
        LongAdder sum = new LongAdder();
        sum.increment();
        sum.sum();
        inThread(sum::increment);
        return sum.sum();
    }

    long ofMap() throws InterruptedException {
        Map<Integer, String> more = new HashMap<>();
        for (int key = 0; key < 100; key++) {
            more.put(key, "v");
        }
        map.putAll(more);
        Size size = map::size;
        Iterator<Integer> keys = map.keySet().iterator();
        keys.next();
        inThread(keys::next);
        long found = map.containsValue("v") ? size.get() : 0;
        found += map.keySet().spliterator().trySplit() == null ? 0 : 1;
        return found + map.values().stream().limit(2).count();
    }

    long withMany() {
        for (int key = 0; key < MANY; key++) {
            map.put(key, "w");
        }
        return map.mappingCount();
    }

    public static void main(String[] args) throws InterruptedException {
        Unseen all = new Unseen();
        // The adder first: a later thread can have the number of one that has ended.
        System.out.println(added() + updated(new AtomicInteger()) + latched() + all.ofMap() + all.withMany());
    }
}
