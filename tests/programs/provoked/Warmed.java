package provoked;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The main thread calls the block once before it starts any other one, and each thread calls it for an outer map, in which the key is by then, and for an inner one. Only
 * the call for the inner map, the third of the run, can go wrong.
 */
public final class Warmed {
    private static final int LATER = 900_000;

    private final Map<String, Map<String, Object>> tenants = new ConcurrentHashMap<>();

    private Warmed() {
    }

    private static <V> V getOrMake(Map<String, V> map, String key, Function<String, V> make) {
        V value = map.get(key);
        if (value == null) {
            value = make.apply(key);
            map.put(key, value);
        }
        return value;
    }

    Object session(String tenant, String user) {
        return getOrMake(getOrMake(tenants, tenant, key -> new ConcurrentHashMap<>()), user, key -> new Object());
    }

    public static void main(String[] args) throws InterruptedException {
        Warmed warmed = new Warmed();
        warmed.session("acme", "root");
        Thread web = new Thread(() -> warmed.session("acme", "ann"), "web");
        Thread api = new Thread(() -> {
            double sum = 1;
            for (int i = 0; i < LATER; i++) {
                sum = Math.sqrt(sum + i);
            }
            warmed.session("acme", sum > 0 ? "ann" : "bob");
        }, "api");
        web.start();
        api.start();
        web.join();
        api.join();
    }
}
