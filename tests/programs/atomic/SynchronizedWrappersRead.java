package atomic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import schedule.Steps;

/**
 * What changes nothing can come between two calls of a wrapper.
 */
public class SynchronizedWrappersRead {
    private final Map<String, Integer> map = Collections.synchronizedMap(new HashMap<>());
    private final SortedMap<String, Integer> sorted = Collections.synchronizedSortedMap(new TreeMap<>());
    private final Set<String> set = Collections.synchronizedSet(new HashSet<>());
    private final Collection<String> all = Collections.synchronizedCollection(new ArrayList<>());

    boolean inMap() {
        boolean had = map.containsKey("k");
        Steps.done(1);
        Steps.await(2);
        return had == map.containsKey("k");
    }

    boolean inSortedMap() {
        boolean had = sorted.containsKey("k");
        Steps.done(3);
        Steps.await(4);
        return had == sorted.containsKey("k");
    }

    boolean inSet() {
        boolean had = set.isEmpty();
        Steps.done(5);
        Steps.await(6);
        return had == set.isEmpty();
    }

    int inCollection() {
        int size = all.size();
        Steps.done(7);
        Steps.await(8);
        return size - all.size();
    }

    public static void main(String[] args) throws InterruptedException {
        SynchronizedWrappersRead p = new SynchronizedWrappersRead();
        Steps.run(() -> {
            p.inMap();
            p.inSortedMap();
            p.inSet();
            p.inCollection();
        }, () -> {
            Steps.await(1);
            p.map.remove("k");
            Steps.done(2);
            Steps.await(3);
            p.sorted.get("k");
            Steps.done(4);
            Steps.await(5);
            p.set.remove("k");
            Steps.done(6);
            Steps.await(7);
            p.all.contains("k");
            Steps.done(8);
        });
        System.out.println(p.map);
    }
}
