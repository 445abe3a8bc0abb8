package atomic;

import java.util.Collections;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Steps;

/**
 * What another thread does to other keys, or to those that an iteration has passed, does not come between the steps of the iteration; nor does what it does before it or
 * after it.
 */
public class ConcurrentMapViews {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final ConcurrentNavigableMap<Integer, Integer> sorted = new ConcurrentSkipListMap<>();
    private final ConcurrentHashMap<Integer, Integer> grown = new ConcurrentHashMap<>();
    private final Set<String> set = Collections.newSetFromMap(new ConcurrentHashMap<>());

    int sum() {
        int sum = 0;
        for (int value : map.values()) {
            sum += value;
        }
        return sum + map.keySet().size();
    }

    int whatIsLeft() {
        Iterator<Integer> values = sorted.values().iterator();
        int first = values.next();
        Steps.done(3);
        Steps.await(4);
        return first + values.next();
    }

    void removeFirst() {
        Iterator<String> keys = map.keySet().iterator();
        keys.next();
        Steps.done(5);
        Steps.await(6);
        keys.remove();
    }

    /** A wrapper's iterator does not tell which key it has come to. */
    String firstTwo() {
        Iterator<String> keys = Collections.unmodifiableSet(map.keySet()).iterator();
        String first = keys.next();
        Steps.done(7);
        Steps.await(8);
        return first + keys.next();
    }

    /** Other keys, of a set that is a map for threads. */
    boolean hasBoth() {
        boolean has = set.contains("a");
        Steps.done(9);
        Steps.await(10);
        return has & set.contains("b");
    }

    /** The keys follow each other in one bin. When the map grows, the iterator goes on with the old bin, and does not see what comes later. */
    int valuesBeforeItGrew() {
        int known = grown.get(32);
        Iterator<Integer> values = grown.values().iterator();
        values.next();
        Steps.done(11);
        Steps.await(12);
        values.next();
        int seen = values.next();
        if (seen != known) {
            throw new IllegalStateException("the iterator has come to the new value");
        }
        return seen;
    }

    private void grow() {
        for (int key = 1; key < 16; key++) {
            grown.put(key, key);
        }
        grown.put(32, 9);
    }

    /** An iterator does not remove what is gone. */
    boolean isGone() {
        boolean has = grown.containsKey(5);
        Steps.done(13);
        Steps.await(14);
        return has | grown.containsKey(5);
    }

    public static void main(String[] args) throws InterruptedException {
        ConcurrentMapViews p = new ConcurrentMapViews();
        p.map.put("a", 1);
        p.map.put("b", 2);
        for (int key = 0; key < 64; key += 16) {
            p.grown.put(key, 1);
        }
        for (int i = 1; i < 5; i++) {
            p.sorted.put(i, i);
        }
        Steps.run(() -> {
            p.sum();
            Steps.done(1);
            Steps.await(2);
            p.sum();
            p.whatIsLeft();
            p.removeFirst();
            p.map.put("c", 5);
            p.firstTwo();
            p.hasBoth();
            p.valuesBeforeItGrew();
            p.isGone();
        }, () -> {
            Steps.await(1);
            p.map.put("a", 3);
            p.sum();
            Steps.done(2);
            Steps.await(3);
            p.sorted.put(1, 7);
            p.sorted.replace(4, 8);
            Steps.done(4);
            Steps.await(5);
            p.map.put("b", 7);
            Steps.done(6);
            Steps.await(7);
            p.map.put("c", 8);
            Steps.done(8);
            Steps.await(9);
            p.set.add("a");
            Steps.done(10);
            Steps.await(11);
            p.grow();
            Iterator<Integer> keys = p.grown.keySet().iterator();
            while (keys.next() != 5) {
                // On to the next one.
            }
            p.grown.remove(5);
            Steps.done(12);
            Steps.await(13);
            keys.remove();
            Steps.done(14);
        });
        System.out.println(p.map + " " + p.sorted + " " + p.set);
    }
}
