package subjects;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that call one method of the platform's library again and again, {@code size} times a thousand: what a call with a model costs. The
 * call is {@code increment} (of one {@link AtomicInteger}), {@code get} or {@code put} (of one {@link ConcurrentHashMap}, 64 keys) or {@code lock} (one {@link
 * ReentrantLock}, with {@code unlock}); a thousand calls are a block. Checked: nothing is lost, and nothing is found that nobody has put.
 */
final class Calls implements Workload {
    private static final int BLOCK = 1000;
    private static final int KEYS = 64;

    /** A thousand calls of a thread; returns how many were right. */
    private interface Block {
        int run();
    }

    private final String call;
    private final AtomicInteger number = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final String[] keys = new String[KEYS];
    private final Integer[] values = new Integer[KEYS];
    private int guarded;

    Calls(String call) {
        this.call = call;
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "key-" + i;
            values[i] = i;
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        number.set(0);
        guarded = 0;
        for (int i = 0; i < KEYS; i++) {
            map.put(keys[i], values[i]);
        }
        Block block = block();
        long[] sums = new long[threads];
        Team.round("caller", threads, me -> {
            long sum = 0;
            for (int i = 0; i < size; i++) {
                sum += block.run();
            }
            sums[me] = sum;
        });
        for (long sum : sums) {
            WrongResult.unless((long) size * BLOCK, sum, "the calls of a thread");
        }
        int all = threads * size * BLOCK;
        WrongResult.unless(call.equals("increment") ? all : 0, number.get(), "the atomic number");
        WrongResult.unless(call.equals("lock") ? all : 0, guarded, "the number under the lock");
        return size + " thousand calls of each thread";
    }

    private Block block() {
        switch (call) {
            case "increment":
                return this::increment;
            case "get":
                return this::get;
            case "put":
                return this::put;
            default:
                return this::lock;
        }
    }

    private int increment() {
        for (int i = 0; i < BLOCK; i++) {
            number.incrementAndGet();
        }
        return BLOCK;
    }

    private int get() {
        int found = 0;
        for (int i = 0; i < BLOCK; i++) {
            found += map.get(keys[i % KEYS]) == values[i % KEYS] ? 1 : 0;
        }
        return found;
    }

    private int put() {
        int found = 0;
        for (int i = 0; i < BLOCK; i++) {
            found += map.put(keys[i % KEYS], values[i % KEYS]) == values[i % KEYS] ? 1 : 0;
        }
        return found;
    }

    private int lock() {
        for (int i = 0; i < BLOCK; i++) {
            lock.lock();
            try {
                guarded++;
            } finally {
                lock.unlock();
            }
        }
        return BLOCK;
    }
}
