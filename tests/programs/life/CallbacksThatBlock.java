package life;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The library calls the program's code, which takes a lock and waits until another thread has used the same collection, the same key or the same
 * variable. The agent holds nothing meanwhile for which that thread would have to wait.
 */
public class CallbacksThatBlock {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** Set for the call that is to block. */
    private static volatile Pause pause;

    /** Where a thread waits in the program's code, and what another one does meanwhile. */
    private static final class Pause {
        private final Thread owner = Thread.currentThread();
        private final CountDownLatch isThere = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
    }

    /** A key whose every method can block. */
    static final class Key implements Comparable<Key> {
        private final int value;

        Key(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            block();
            return value;
        }

        @Override
        public boolean equals(Object o) {
            block();
            return o instanceof Key && ((Key) o).value == value;
        }

        @Override
        public int compareTo(Key o) {
            block();
            return Integer.compare(value, o.value);
        }

        @Override
        public String toString() {
            return "k" + value;
        }
    }

    /** Waits, once in each call that is to block, with a lock held. */
    static void block() {
        Pause now = pause;
        if (now == null || now.owner != Thread.currentThread()) {
            return;
        }
        pause = null;
        LOCK.lock();
        try {
            now.isThere.countDown();
            now.mayGoOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            LOCK.unlock();
        }
    }

    /** Does the first while another thread does the second in the middle of it. */
    private static void both(String name, Runnable blocking, Runnable meanwhile) throws InterruptedException {
        Pause now = new Pause();
        Thread other = new Thread(() -> {
            try {
                now.isThere.await();
                meanwhile.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                now.mayGoOn.countDown();
            }
        }, "other");
        other.start();
        pause = now;
        blocking.run();
        pause = null;
        now.isThere.countDown();
        other.join();
        System.out.println(name);
    }

    private static void keys() throws InterruptedException {
        Key one = new Key(1);
        Key two = new Key(2);
        for (Map<Key, String> map : List.of(new HashMap<Key, String>(), new TreeMap<Key, String>(), new ConcurrentHashMap<Key, String>(),
            new ConcurrentSkipListMap<Key, String>())) {
            map.put(one, "a");
            map.put(two, "b");
            // An equal key, not the same, so that they are compared.
            both(map.getClass().getName() + " get", () -> map.get(new Key(1)), () -> map.get(two));
            both("containsKey", () -> map.containsKey(new Key(2)), () -> map.size());
            both("put", () -> map.put(new Key(1), "c"), () -> map.get(one));
            both("remove", () -> map.remove(new Key(1)), () -> map.containsKey(one));
            System.out.println(map);
        }
        ConcurrentMap<Key, String> shared = new ConcurrentHashMap<>(Map.of(one, "a"));
        both("putIfAbsent", () -> shared.putIfAbsent(new Key(1), "x"), () -> shared.put(two, "b"));
        both("replace", () -> shared.replace(new Key(1), "a", "y"), () -> shared.remove(two));
        List<Key> list = new CopyOnWriteArrayList<>(List.of(one));
        both("contains", () -> list.contains(new Key(2)), () -> list.add(two));
        both("indexOf", () -> list.indexOf(new Key(2)), () -> list.set(0, two));
        Queue<Key> queue = new ConcurrentLinkedQueue<>(List.of(one, two));
        both("remove from a queue", () -> queue.remove(new Key(2)), () -> {
            queue.poll();
            queue.offer(one);
        });
        System.out.println(shared + " " + list + " " + queue);
    }

    private static void lambdas() throws InterruptedException {
        // In a table of this size the two keys are in different bins, which a computation locks one by one.
        ConcurrentMap<Integer, Integer> map = new ConcurrentHashMap<>(64);
        map.put(1, 1);
        both("compute", () -> map.compute(1, (k, v) -> {
            block();
            return v + 1;
        }), () -> {
            map.put(2, map.get(1));
            map.merge(3, 5, Integer::sum);
        });
        both("computeIfAbsent", () -> map.computeIfAbsent(4, k -> {
            block();
            return k;
        }), () -> map.computeIfPresent(2, (k, v) -> v + 7));
        both("merge", () -> map.merge(1, 10, (a, b) -> {
            block();
            return a + b;
        }), () -> map.remove(3));
        both("forEach", () -> map.forEach((k, v) -> block()), () -> map.put(9, 9));
        both("replaceAll", () -> map.replaceAll((k, v) -> {
            block();
            return v;
        }), () -> map.get(1));
        System.out.println(map);
        AtomicLong sum = new AtomicLong();
        both("updateAndGet", () -> sum.updateAndGet(v -> {
            block();
            return v + 1;
        }), () -> sum.addAndGet(100));
        AtomicReference<String> text = new AtomicReference<>("a");
        both("accumulateAndGet", () -> text.accumulateAndGet("b", (a, b) -> {
            block();
            return a + b;
        }), () -> text.set("c"));
        List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));
        both("iteration", () -> list.forEach(v -> block()), () -> list.add(3));
        List<Integer> wrapped = Collections.synchronizedList(new java.util.ArrayList<>(List.of(1)));
        both("stream", () -> wrapped.stream().forEach(v -> block()), () -> wrapped.set(0, 2));
        System.out.println(sum + " " + text + " " + list + " " + wrapped);
    }

    public static void main(String[] args) throws InterruptedException {
        keys();
        lambdas();
    }
}
