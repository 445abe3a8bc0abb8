package online;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;

/** Issue 1881: a value is invalidated while it is being loaded, and is still in the cache. */
public final class Guava {
    private static String stored = "old";

    private Guava() {
    }

    public static void main(String[] args) throws Exception {
        Cache<String, String> cache = CacheBuilder.newBuilder().build();
        Race.run(() -> cache.get("key", () -> {
            String loaded = stored;
            Race.gate();
            return loaded;
        }), Race.done(() -> {
            stored = "new";
            cache.invalidate("key");
        }));
        System.out.println("in the cache: " + cache.getIfPresent("key"));
    }
}
