package violating;

import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/**
 * Each operation on the map is atomic, the check and the put together are not.
 */
public class MapCheckThenPut {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    // finding: violating.MapCheckThenPut.addIfAbsent(java.lang.String,int,int,int) stale check-then-act on a collection
    void addIfAbsent(String key, int value, int done, int await) {
        if (!map.containsKey(key)) {
            Steps.done(done);
            Steps.await(await);
            map.put(key, value);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        MapCheckThenPut cache = new MapCheckThenPut();
        Steps.run(() -> cache.addIfAbsent("k", 1, 1, 3), () -> {
            Steps.await(1);
            cache.addIfAbsent("k", 2, 2, 2);
            Steps.done(3);
        });
        System.out.println(cache.map);
    }
}
