package life;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The library calls the program's code, which throws; and which calls the same collection again. Each call ends as without the agent, and so do the
 * next ones.
 */
public class CallbacksThatThrow {
    /** Set if the next call is to throw. */
    private static Throwable next;

    /** A key whose methods can throw. */
    static final class Key implements Comparable<Key> {
        private final int value;

        Key(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            CallbacksThatThrow.<RuntimeException>fail();
            return value;
        }

        @Override
        public boolean equals(Object o) {
            CallbacksThatThrow.<RuntimeException>fail();
            return o instanceof Key && ((Key) o).value == value;
        }

        @Override
        public int compareTo(Key o) {
            CallbacksThatThrow.<RuntimeException>fail();
            return Integer.compare(value, o.value);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void fail() throws T {
        Throwable now = next;
        next = null;
        if (now != null) {
            throw (T) now;
        }
    }

    /** Does it three times: it throws an exception, an error, and nothing. */
    private static void thrice(String name, Callable<?> what) {
        for (Throwable thrown : new Throwable[] {new java.io.IOException("checked"), new AssertionError("error"), null}) {
            next = thrown;
            String result;
            try {
                result = String.valueOf(what.call());
            } catch (Throwable e) {
                result = e.toString();
            }
            next = null;
            System.out.println(name + ": " + result);
        }
    }

    private static void throwing() {
        for (Map<Key, Integer> map : List.of(new HashMap<Key, Integer>(), new TreeMap<Key, Integer>(), new ConcurrentHashMap<Key, Integer>(),
            new ConcurrentSkipListMap<Key, Integer>())) {
            map.put(new Key(1), 1);
            String name = map.getClass().getName();
            thrice(name + " get", () -> map.get(new Key(1)));
            thrice(name + " put", () -> map.put(new Key(1), 2));
            thrice(name + " remove", () -> map.remove(new Key(1)));
            thrice(name + " compute", () -> map.compute(new Key(1), (k, v) -> {
                CallbacksThatThrow.<RuntimeException>fail();
                return v == null ? 1 : v + 1;
            }));
            thrice(name + " merge", () -> map.merge(new Key(1), 5, (a, b) -> {
                CallbacksThatThrow.<RuntimeException>fail();
                return a + b;
            }));
            thrice(name + " computeIfAbsent", () -> map.computeIfAbsent(new Key(2), k -> {
                CallbacksThatThrow.<RuntimeException>fail();
                return 3;
            }));
            System.out.println(map.size());
        }
        AtomicInteger count = new AtomicInteger();
        thrice("updateAndGet", () -> count.updateAndGet(v -> {
            CallbacksThatThrow.<RuntimeException>fail();
            return v + 1;
        }));
        List<Key> list = new CopyOnWriteArrayList<>(List.of(new Key(1)));
        thrice("contains", () -> list.contains(new Key(2)));
        thrice("removeIf", () -> list.removeIf(k -> {
            CallbacksThatThrow.<RuntimeException>fail();
            return false;
        }));
        PriorityBlockingQueue<Key> queue = new PriorityBlockingQueue<>(List.of(new Key(1)));
        thrice("offer", () -> queue.offer(new Key(0)));
        thrice("poll", () -> queue.poll().value);
        PriorityQueue<Key> plain = new PriorityQueue<>(Comparator.naturalOrder());
        plain.add(new Key(3));
        thrice("add", () -> plain.add(new Key(2)));
    }

    private static void comingBack() {
        Map<Integer, Integer> shared = new ConcurrentHashMap<>(64);
        thrice("compute again", () -> shared.compute(1, (k, v) -> shared.size() + shared.getOrDefault(2, 0) + shared.merge(3, 1, Integer::sum)));
        thrice("compute the same", () -> shared.computeIfAbsent(5, k -> shared.computeIfAbsent(5, l -> 1)));
        thrice("remove inside", () -> shared.computeIfPresent(1, (k, v) -> shared.remove(3)));
        Map<Integer, Integer> plain = new HashMap<>();
        thrice("compute in a plain map", () -> plain.computeIfAbsent(plain.size(), k -> {
            plain.put(k + 100, k);
            return k;
        }));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        thrice("remove while iterating", () -> {
            list.forEach(v -> list.remove(v));
            return list;
        });
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>(List.of("a", "b"));
        Object poller = new Object() {
            @Override
            public boolean equals(Object o) {
                return queue.poll() == null && queue.offer("c");
            }

            @Override
            public int hashCode() {
                return queue.size();
            }
        };
        thrice("poll in remove", () -> queue.remove(poller) + " " + queue.size());
        AtomicInteger count = new AtomicInteger();
        thrice("update in an update", () -> count.updateAndGet(v -> v < 5 ? count.incrementAndGet() : v));
        System.out.println(shared + " " + plain + " " + list + " " + count);
    }

    public static void main(String[] args) {
        throwing();
        comingBack();
    }
}
