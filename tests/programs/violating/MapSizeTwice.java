package violating;

import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/**
 * The number of keys is looked at twice, with another thread's new key between them.
 */
public class MapSizeTwice {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    // finding: violating.MapSizeTwice.grown() unrepeatable read
    boolean grown() {
        boolean wasEmpty = map.isEmpty();
        Steps.done(1);
        Steps.await(2);
        return wasEmpty && map.size() > 0;
    }

    public static void main(String[] args) throws InterruptedException {
        MapSizeTwice p = new MapSizeTwice();
        Steps.run(() -> System.out.println(p.grown()), () -> {
            Steps.await(1);
            p.map.put("k", 1);
            Steps.done(2);
        });
        System.out.println(p.map);
    }
}
