package provoked;

import java.util.concurrent.ConcurrentHashMap;

/** A key that is looked for and then put in. */
public final class Maps {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    // block provoked.Maps.count(java.lang.String)
    void count(String key) {
        Integer now = map.get(key); // first provoked.Maps.count read get()
        Places.work();
        map.put(key, now == null ? 1 : now + 1); // last other provoked.Maps.count write put()
    }

    public static void main(String[] args) throws InterruptedException {
        Maps maps = new Maps();
        Places.together(() -> maps.count("k"), () -> maps.count("k"));
    }
}
