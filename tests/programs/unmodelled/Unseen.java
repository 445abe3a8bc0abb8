package unmodelled;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import schedule.Steps;

/**
 * One case of each thing that is not seen and is counted.
 */
public class Unseen {
    private static final int MANY = 70_000;

    interface Size extends Supplier<Integer>, Serializable {
    }

    private final ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();

    /** In more threads at the same time than anything is prepared for. */
    private static void inThreads(Runnable what) throws InterruptedException {
        Thread[] all = new Thread[100];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(() -> {
                what.run();
                Steps.await(1);
            });
            all[i].start();
        }
        Steps.done(1);
        for (Thread one : all) {
            one.join();
        }
    }

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
        inThreads(sum::increment);
        return sum.sum();
    }

    /** Most of it is in the class file many times, so that it is too large for hooks: what is finally done is there for each way to it. */
    static int large(Map<Integer, String> map) {
        int n = map.size();
        try {
            n++;
        } finally {
            try {
                n++;
            } finally {
                try {
                    n++;
                } finally {
                    try {
                        n++;
                    } finally {
                        try {
                            n++;
                        } finally {
                            n = n * 1001 ^ n * 1002 ^ n * 1003 ^ n * 1004 ^ n * 1005 ^ n * 1006 ^ n * 1007 ^ n * 1008 ^ n * 1009 ^ n * 1010 ^ n * 1011 ^ n * 1012
                                ^ n * 1013 ^ n * 1014 ^ n * 1015 ^ n * 1016 ^ n * 1017 ^ n * 1018 ^ n * 1019 ^ n * 1020 ^ n * 1021 ^ n * 1022 ^ n * 1023 ^ n * 1024
                                ^ n * 1025 ^ n * 1026 ^ n * 1027 ^ n * 1028 ^ n * 1029 ^ n * 1030 ^ n * 1031 ^ n * 1032 ^ n * 1033 ^ n * 1034 ^ n * 1035 ^ n * 1036
                                ^ n * 1037 ^ n * 1038 ^ n * 1039 ^ n * 1040 ^ n * 1041 ^ n * 1042 ^ n * 1043 ^ n * 1044 ^ n * 1045 ^ n * 1046 ^ n * 1047 ^ n * 1048
                                ^ n * 1049 ^ n * 1050 ^ n * 1051;
                        }
                    }
                }
            }
        }
        return n;
    }

    static int entries(ConcurrentHashMap<Integer, String> map) {
        return map.entrySet().contains(Map.entry(1, "v")) ? 1 : 0;
    }

    static int changed(ConcurrentHashMap<Integer, String> map) {
        int n = map.keySet().removeIf(key -> key == 1) ? 1 : 0;
        map.replaceAll((key, old) -> old + key);
        ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>();
        return n + (set.addAll(List.of(1, 2)) ? set.size() : 0);
    }

    static int given() throws InterruptedException {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        queue.add(1);
        inThread(() -> queue.add(1));
        return queue.poll() + queue.poll();
    }

    long ofMap() throws InterruptedException {
        Map<Integer, String> more = new TreeMap<>();
        for (int key = 0; key < 100; key++) {
            more.put(key, "v");
        }
        map.putAll(more);
        Size size = map::size;
        Iterator<Integer> keys = map.keySet().iterator();
        keys.next();
        inThread(keys::next);
        long found = map.containsValue("v") ? size.get() : 0;
        found += large(map) + entries(map) + changed(map);
        found += map.keySet().spliterator().trySplit() == null ? 0 : 1;
        return found + map.values().stream().limit(2).count();
    }

    long withMany() {
        for (int key = 0; key < MANY; key++) {
            map.put(key, "w");
        }
        return map.mappingCount();
    }

    /** Each look makes a key of its own, and then all are looked at. */
    static int lookedFor() {
        Map<Unseen, Integer> names = new ConcurrentHashMap<>();
        names.put(new Unseen(), 1);
        int found = 0;
        for (int i = 0; i < 1000; i++) {
            found += names.containsKey(new Unseen()) ? 1 : 0;
        }
        return found + names.values().stream().mapToInt(value -> value).sum();
    }

    public static void main(String[] args) throws InterruptedException {
        Unseen all = new Unseen();
        // The adder first: a later thread can have the number of one that has ended.
        System.out.println(added() + updated(new AtomicInteger()) + latched() + given() + all.ofMap() + all.withMany() + lookedFor());
    }
}
