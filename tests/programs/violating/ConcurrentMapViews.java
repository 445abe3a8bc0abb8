package violating;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Steps;

/**
 * Iterations over maps that are made for threads see changes of other threads, and what they return need not be there any more.
 */
public class ConcurrentMapViews {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final ConcurrentNavigableMap<Integer, Integer> sorted = new ConcurrentSkipListMap<>();

    // finding: violating.ConcurrentMapViews.sum() non-atomic iteration
    int sum() {
        int sum = 0;
        for (int value : map.values()) {
            sum += value;
            Steps.done(1);
            Steps.await(2);
        }
        return sum;
    }

    // finding: violating.ConcurrentMapViews.raise() stale check-then-act on a collection
    void raise() {
        Map.Entry<String, Integer> entry = map.entrySet().iterator().next();
        int value = entry.getValue();
        Steps.done(3);
        Steps.await(4);
        entry.setValue(value + 1);
    }

    // finding: violating.ConcurrentMapViews.evict() non-atomic iteration
    void evict() {
        Iterator<Integer> keys = sorted.tailMap(2).keySet().iterator();
        keys.next();
        Steps.done(5);
        Steps.await(6);
        keys.remove();
    }

    // finding: violating.ConcurrentMapViews.takeFirst() unrepeatable read
    int takeFirst() {
        int first = sorted.firstKey();
        Steps.done(7);
        Steps.await(8);
        return sorted.getOrDefault(first, 0);
    }

    // finding: violating.ConcurrentMapViews.sumTwice() unrepeatable read
    boolean sumTwice() {
        int sum = sorted.values().stream().mapToInt(v -> v).sum();
        Steps.done(9);
        Steps.await(10);
        return sum == sorted.values().stream().mapToInt(v -> v).sum();
    }

    public static void main(String[] args) throws InterruptedException {
        ConcurrentMapViews p = new ConcurrentMapViews();
        p.map.put("a", 1);
        p.map.put("b", 2);
        for (int i = 1; i < 5; i++) {
            p.sorted.put(i, i);
        }
        Steps.run(() -> {
            p.sum();
            p.raise();
            p.evict();
            p.takeFirst();
            p.sumTwice();
        }, () -> {
            Steps.await(1);
            p.map.put("c", 3);
            Steps.done(2);
            Steps.await(3);
            p.map.put("a", 7);
            Steps.done(4);
            Steps.await(5);
            p.sorted.remove(2);
            Steps.done(6);
            Steps.await(7);
            p.sorted.remove(1);
            Steps.done(8);
            Steps.await(9);
            p.sorted.put(4, 9);
            Steps.done(10);
        });
        System.out.println(p.map.size() + " " + p.map.get("a") + " " + p.sorted);
    }
}
