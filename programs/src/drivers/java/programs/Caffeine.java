package programs;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.SplittableRandom;

/** Caffeine: threads that share bounded caches, with eviction and loading. */
public final class Caffeine {
    private Caffeine() {
    }

    /** The arguments are threads and requests of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        LoadingCache<Integer, String> cache = com.github.benmanes.caffeine.cache.Caffeine.newBuilder().maximumSize(1000).recordStats()
            .build(key -> "value " + key);
        AsyncLoadingCache<Integer, Integer> async = com.github.benmanes.caffeine.cache.Caffeine.newBuilder().maximumSize(100)
            .buildAsync(key -> key * key);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            SplittableRandom random = new SplittableRandom(number);
            long sum = 0;
            for (int i = 0; i < size; i++) {
                int key = random.nextInt(1 + random.nextInt(5000));
                sum += cache.get(key).length();
                if (i % 10 == 0) {
                    sum += async.get(key % 300).get();
                    cache.invalidate(key);
                }
            }
            return sum;
        });
        cache.cleanUp();
        System.out.println(cache.stats().requestCount() + " requests, at most 1000 kept: " + (cache.estimatedSize() <= 1000));
    }
}
