package atomic;

import java.util.Iterator;
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

    public static void main(String[] args) throws InterruptedException {
        ConcurrentMapViews p = new ConcurrentMapViews();
        p.map.put("a", 1);
        p.map.put("b", 2);
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
        });
        System.out.println(p.map + " " + p.sorted);
    }
}
