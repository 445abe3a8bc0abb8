package programs;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ConcurrentHashMultiset;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.Multimap;
import com.google.common.collect.Multimaps;
import com.google.common.eventbus.EventBus;
import com.google.common.eventbus.Subscribe;
import com.google.common.hash.Hashing;
import java.util.SplittableRandom;

/** Guava: threads that share a cache, a multiset, a multimap and an event bus. */
public final class GuavaCaches {
    private GuavaCaches() {
    }

    /** The arguments are threads and operations of each. */
    public static void main(String[] arguments) throws Exception {
        int size = Integer.parseInt(arguments[1]);
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(500).build(CacheLoader.from(key -> Hashing.murmur3_128().hashInt(key).toString()));
        ConcurrentHashMultiset<Integer> multiset = ConcurrentHashMultiset.create();
        Multimap<Integer, Integer> multimap = Multimaps.synchronizedMultimap(HashMultimap.create());
        EventBus bus = new EventBus();
        Counter counter = new Counter();
        bus.register(counter);
        Team.print(Integer.parseInt(arguments[0]), number -> {
            SplittableRandom random = new SplittableRandom(number);
            Digest digest = new Digest();
            for (int i = 0; i < size; i++) {
                int key = random.nextInt(1 + random.nextInt(2000));
                digest.add(cache.get(key));
                multiset.add(key % 50);
                multimap.put(key % 20, number * size + i);
                if (i % 10 == 0) {
                    bus.post(key);
                }
            }
            return digest;
        });
        System.out.println(multiset.size() + " in " + multiset.elementSet().size() + ", " + multimap.size() + ", " + counter.sum);
    }

    /** Listens to the bus. */
    public static final class Counter {
        private long sum;

        /** Takes a number. */
        @Subscribe
        public synchronized void take(Integer number) {
            sum += number;
        }
    }
}
