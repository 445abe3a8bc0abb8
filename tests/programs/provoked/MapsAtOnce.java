package provoked;

import java.util.concurrent.ConcurrentHashMap;

/** The same in one step, behind a look. */
public final class MapsAtOnce {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    // block provoked.MapsAtOnce.count(java.lang.String)
    void count(String key) {
        map.merge(key, 1, Integer::sum); // first last other provoked.MapsAtOnce.count write merge()
    }

    public static void main(String[] args) throws InterruptedException {
        MapsAtOnce maps = new MapsAtOnce();
        Places.together(() -> maps.count("k"), () -> maps.count("k"));
    }
}
