package violating;

import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Steps;

/**
 * A map is emptied and need not be empty afterwards; and a key is read twice.
 */
public class SkipListMapClearThenSize {
    private final ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>();

    // finding: violating.SkipListMapClearThenSize.empty() overwritten write
    int empty() {
        map.clear();
        Steps.done(1);
        Steps.await(2);
        return map.size();
    }

    // finding: violating.SkipListMapClearThenSize.twice(int) unrepeatable read
    boolean twice(int key) {
        String first = map.get(key);
        Steps.done(3);
        Steps.await(4);
        return first == map.get(key);
    }

    public static void main(String[] args) throws InterruptedException {
        SkipListMapClearThenSize p = new SkipListMapClearThenSize();
        Steps.run(() -> {
            System.out.println(p.empty());
            System.out.println(p.twice(7));
        }, () -> {
            Steps.await(1);
            p.map.putIfAbsent(7, "seven");
            Steps.done(2);
            Steps.await(3);
            p.map.remove(7);
            Steps.done(4);
        });
        System.out.println(p.map);
    }
}
