package atomic;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/**
 * One atomic operation on each key; different keys do not conflict; a map of the program's own is the program's code.
 */
public class MapPutIfAbsent {
    /** Overrides what it needs, so its calls are no operations of the library. */
    static class Own extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1;

        @Override
        public Integer get(Object key) {
            return 7;
        }
    }

    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final Map<String, Integer> own = new Own();

    Integer add(String key, Integer value) {
        own.get(key);
        Steps.done(1);
        Steps.await(2);
        own.get(key);
        return map.putIfAbsent(key, value);
    }

    int twice(String key) {
        int first = map.getOrDefault(key, 0);
        Steps.done(3);
        Steps.await(4);
        return first + map.getOrDefault(key, 0);
    }

    public static void main(String[] args) throws InterruptedException {
        MapPutIfAbsent cache = new MapPutIfAbsent();
        Steps.run(() -> {
            cache.add("k", 1);
            cache.twice("k");
        }, () -> {
            Steps.await(1);
            cache.map.putIfAbsent("k", 2);
            Steps.done(2);
            Steps.await(3);
            // It finds a value, so it only reads; and another key is another variable.
            cache.map.putIfAbsent("k", 3);
            cache.map.put("l", 3);
            Steps.done(4);
        });
        System.out.println(cache.map.get("k"));
    }
}
