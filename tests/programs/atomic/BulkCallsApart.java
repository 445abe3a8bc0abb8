package atomic;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import schedule.Steps;

/**
 * Calls with other collections, which have to do with other keys than what another thread changes meanwhile, or nobody knows with which; and iterations that do not
 * come to what has changed.
 */
public class BulkCallsApart {
    private final ConcurrentHashMap.KeySetView<String, Boolean> names = ConcurrentHashMap.newKeySet();
    private final Set<String> sorted = new ConcurrentSkipListSet<>();
    private final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    /** All in one bin of the table. */
    private final ConcurrentHashMap<Integer, Integer> bin = new ConcurrentHashMap<>();

    boolean addsTwice() {
        boolean isNew = names.addAll(List.of("a", "b"));
        Steps.done(1);
        Steps.await(2);
        return isNew & names.addAll(Set.of("c"));
    }

    boolean removesTwice() {
        boolean wasThere = map.entrySet().remove(Map.entry(1, 1));
        Steps.done(3);
        Steps.await(4);
        return wasThere & map.entrySet().remove(Map.entry(2, 2));
    }

    /** What is not there is one of the two. */
    boolean hasBoth() {
        boolean has = sorted.containsAll(List.of("x", "y"));
        Steps.done(5);
        Steps.await(6);
        return has | sorted.containsAll(new ArrayList<>(List.of("x", "z")));
    }

    void putsTwice() {
        map.putAll(Map.of(11, 1, 12, 1));
        Steps.done(7);
        Steps.await(8);
        map.putAll(Map.of(13, 1));
    }

    /** The keys that it comes to were there before the other thread has removed them. */
    int threeOfOneBin() {
        Iterator<Integer> keys = bin.keySet().iterator();
        int first = keys.next();
        Steps.done(9);
        Steps.await(10);
        return first + keys.next() + keys.next();
    }

    /** The first key is behind it when it has another value. */
    int rest() {
        int[] sum = new int[1];
        Iterator<Integer> values = map.values().iterator();
        sum[0] = values.next();
        Steps.done(11);
        Steps.await(12);
        sum[0] += values.next();
        values.forEachRemaining(v -> sum[0] += v);
        return sum[0];
    }

    /** What is new is in the other part of the map. */
    int sizeOfPart() {
        int[] size = new int[1];
        Spliterator<Integer> keys = map.keySet().spliterator();
        Spliterator<Integer> others = keys.trySplit();
        size[0] = map.size() + (int) others.estimateSize();
        Steps.done(13);
        Steps.await(14);
        while (keys.tryAdvance(k -> size[0] += k)) {
            size[0]++;
        }
        return size[0];
    }

    public static void main(String[] args) throws InterruptedException {
        BulkCallsApart p = new BulkCallsApart();
        for (int i = 1; i < 5; i++) {
            p.map.put(i, i);
        }
        for (int i = 1; i < 64; i += 16) {
            p.bin.put(i, i);
        }
        StringBuilder seen = new StringBuilder();
        Steps.run(() -> {
            seen.append(p.addsTwice()).append(p.removesTwice()).append(p.hasBoth());
            p.putsTwice();
            seen.append(p.threeOfOneBin());
            p.map.remove(12);
            p.map.remove(13);
            p.map.remove(11);
            seen.append(p.rest()).append(p.sizeOfPart());
        }, () -> {
            Steps.await(1);
            p.names.addAll(List.of("d"));
            Steps.done(2);
            Steps.await(3);
            p.map.entrySet().remove(Map.entry(7, 7));
            Steps.done(4);
            Steps.await(5);
            p.sorted.add("x");
            Steps.done(6);
            Steps.await(7);
            p.map.putAll(Map.of(21, 1));
            p.map.remove(21);
            Steps.done(8);
            Steps.await(9);
            p.bin.remove(17);
            p.bin.remove(33);
            Steps.done(10);
            Steps.await(11);
            p.map.put(3, 30);
            Steps.done(12);
            Steps.await(13);
            p.map.put(9, 9);
            Steps.done(14);
        });
        System.out.println(seen + " " + p.names.getMap().size() + p.names.getMappedValue() + p.sorted + p.map + p.bin.keySet());
    }
}
