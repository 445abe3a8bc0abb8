package loose;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;

/** Issue 1881: one thread gets a value, which is loaded if it is absent, and the other one invalidates it. */
public final class Guava {
    private Guava() {
    }

    public static void main(String[] args) throws Exception {
        Cache<String, String> cache = CacheBuilder.newBuilder().build();
        Both.run(1000, round -> cache.get("key", () -> "value " + round), round -> cache.invalidate("key"));
    }
}
