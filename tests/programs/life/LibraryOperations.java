package life;

import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Operations of the library that call the program's code, which locks, blocks, throws and comes back into the same collection; and
 * the messages and exceptions of operations that fail.
 */
public class LibraryOperations {
    private static final Object LOCK = new Object();

    /** A key whose comparison takes a lock. */
    static final class Key implements Comparable<Key> {
        private final int value;

        Key(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            synchronized (LOCK) {
                return value & 3;
            }
        }

        @Override
        public boolean equals(Object o) {
            synchronized (LOCK) {
                return o instanceof Key && ((Key) o).value == value;
            }
        }

        @Override
        public int compareTo(Key o) {
            if (o.value == 13 && value != 13) {
                throw new IllegalStateException("thirteen");
            }
            return Integer.compare(value, o.value);
        }
    }

    private Map<String, List<String>> absent;

    public static void main(String[] args) throws Exception {
        callbacks();
        failures();
        contention();
        conditions();
    }

    private static void callbacks() {
        Map<Key, Integer> map = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            map.merge(new Key(i % 7), i, (a, b) -> a + map.getOrDefault(new Key(b), 1));
        }
        System.out.println(map.size() + " " + map.values().stream().mapToInt(Integer::intValue).sum());
        ConcurrentHashMap<String, Integer> shared = new ConcurrentHashMap<>();
        shared.computeIfAbsent("a", k -> {
            synchronized (LOCK) {
                return k.length() + new ArrayList<>(List.of(1, 2)).size();
            }
        });
        shared.compute("b", (k, v) -> shared.containsKey("a") ? 5 : 6);
        System.out.println(shared);
        TreeMap<Key, String> tree = new TreeMap<>();
        tree.put(new Key(13), "x");
        try {
            tree.put(new Key(1), "y");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + tree.size());
        }
    }

    private static void failures() {
        LibraryOperations none = new LibraryOperations();
        try {
            none.absent.get("k").add("v");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            List.of(1).add(2);
        } catch (UnsupportedOperationException e) {
            System.out.println("unsupported");
        }
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        try {
            for (Integer i : list) {
                list.remove(i);
            }
        } catch (ConcurrentModificationException e) {
            System.out.println("modified " + list);
        }
        try {
            list.get(9);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ReentrantLock().unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held");
        }
        Iterator<Integer> empty = new ArrayList<Integer>().iterator();
        System.out.println(empty.hasNext() + " " + deep(0));
    }

    /** Overflows the stack in the middle of operations; the next ones work. */
    private static int deep(int depth) {
        AtomicInteger count = new AtomicInteger();
        List<Integer> list = new ArrayList<>();
        try {
            return descend(count, list);
        } catch (StackOverflowError e) {
            list.add(1);
            return count.get() > 100 && list.contains(1) ? 1 : 0;
        }
    }

    private static int descend(AtomicInteger count, List<Integer> list) {
        list.add(count.incrementAndGet());
        return descend(count, list) + list.size();
    }

    private static void contention() throws InterruptedException {
        Map<Integer, Integer> map = new ConcurrentHashMap<>();
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger count = new AtomicInteger();
        ReentrantLock lock = new ReentrantLock();
        int[] plain = new int[1];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    map.merge(i % 10, 1, Integer::sum);
                    list.add(count.incrementAndGet());
                    count.updateAndGet(n -> n);
                    lock.lock();
                    try {
                        plain[0]++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(map + " " + list.size() + " " + count.get() + " " + plain[0]);
    }

    private static void conditions() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        CountDownLatch isWaiting = new CountDownLatch(1);
        boolean[] isDone = new boolean[1];
        Thread waiter = new Thread(() -> {
            lock.lock();
            try {
                isWaiting.countDown();
                while (!isDone[0]) {
                    changed.await();
                }
                changed.await();
            } catch (InterruptedException e) {
                System.out.println("interrupted, and holds the lock: " + lock.isHeldByCurrentThread());
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        isWaiting.await();
        lock.lock();
        isDone[0] = true;
        changed.signalAll();
        lock.unlock();
        while (true) {
            lock.lock();
            boolean waits = lock.hasWaiters(changed);
            lock.unlock();
            if (waits) {
                break;
            }
            Thread.yield();
        }
        waiter.interrupt();
        waiter.join();
        System.out.println("locked: " + lock.isLocked());
    }
}
