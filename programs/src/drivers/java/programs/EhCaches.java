package programs;

import java.util.SplittableRandom;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;

/** Ehcache: threads that share a cache on the heap, with eviction. */
public final class EhCaches {
    private EhCaches() {
    }

    /** The arguments are threads and requests of each. */
    public static void main(String[] arguments) throws Exception {
        int requests = Integer.parseInt(arguments[1]);
        try (CacheManager manager = CacheManagerBuilder.newCacheManagerBuilder().build(true)) {
            Cache<Integer, String> cache = manager.createCache("values",
                CacheConfigurationBuilder.newCacheConfigurationBuilder(Integer.class, String.class, ResourcePoolsBuilder.heap(100)));
            Team.print(Integer.parseInt(arguments[0]), number -> {
                SplittableRandom random = new SplittableRandom(number);
                long sum = 0;
                for (int i = 0; i < requests; i++) {
                    int key = random.nextInt(1 + random.nextInt(300));
                    String value = cache.get(key);
                    if (value == null) {
                        value = "value " + key;
                        cache.putIfAbsent(key, value);
                    }
                    if (i % 20 == 0) {
                        cache.remove(key);
                    }
                    sum += value.length();
                }
                return sum;
            });
        }
    }
}
