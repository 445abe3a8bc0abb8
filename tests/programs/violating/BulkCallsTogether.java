package violating;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import schedule.Steps;

/**
 * Calls with other collections that have to do with a key that another thread changes meanwhile; and iterations that are no loops over an iterator.
 */
public class BulkCallsTogether {
    private final ConcurrentHashMap.KeySetView<String, Boolean> names = ConcurrentHashMap.newKeySet();
    private final Set<String> sorted = new ConcurrentSkipListSet<>();
    private final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();

    // finding: violating.BulkCallsTogether.addsAgain() unrepeatable read
    boolean addsAgain() {
        boolean isNew = names.addAll(List.of("a", "b"));
        Steps.done(1);
        Steps.await(2);
        return isNew & names.contains("b");
    }

    // finding: violating.BulkCallsTogether.sizeTwice() unrepeatable read
    int sizeTwice() {
        int size = sorted.size();
        Steps.done(3);
        Steps.await(4);
        return sorted.size() - size;
    }

    // finding: violating.BulkCallsTogether.removesBoth() stale check-then-act on a collection
    boolean removesBoth() {
        boolean has = sorted.containsAll(List.of("x", "y"));
        Steps.done(5);
        Steps.await(6);
        return has && sorted.remove("x");
    }

    // finding: violating.BulkCallsTogether.putsAndGets() overwritten write
    int putsAndGets() {
        map.putAll(Map.of(1, 1, 2, 2));
        Steps.done(7);
        Steps.await(8);
        return map.get(2);
    }

    // finding: violating.BulkCallsTogether.sumInSteps() non-atomic iteration
    int sumInSteps() {
        int[] sum = new int[1];
        Spliterator<Integer> values = map.values().spliterator();
        values.tryAdvance(v -> sum[0] += v);
        Steps.done(9);
        Steps.await(10);
        while (values.tryAdvance(v -> sum[0] += v)) {
            sum[0]++;
        }
        return sum[0];
    }

    // finding: violating.BulkCallsTogether.keysInTurn() non-atomic iteration
    int keysInTurn() {
        int sum = 0;
        for (Iterator<Integer> keys = map.keys().asIterator(); keys.hasNext();) {
            sum += keys.next();
            Steps.done(11);
            Steps.await(12);
        }
        return sum;
    }

    // finding: violating.BulkCallsTogether.withoutFirst() stale check-then-act on a collection
    long withoutFirst() {
        long count = map.keySet().stream().skip(1).count();
        Steps.done(13);
        Steps.await(14);
        return count + map.get(2);
    }

    public static void main(String[] args) throws InterruptedException {
        BulkCallsTogether p = new BulkCallsTogether();
        p.sorted.addAll(List.of("x", "y"));
        Steps.run(() -> {
            p.addsAgain();
            p.sizeTwice();
            p.removesBoth();
            p.putsAndGets();
            p.sumInSteps();
            p.keysInTurn();
            p.withoutFirst();
        }, () -> {
            Steps.await(1);
            p.names.remove("b");
            Steps.done(2);
            Steps.await(3);
            p.sorted.addAll(List.of("z"));
            Steps.done(4);
            Steps.await(5);
            p.sorted.remove("x");
            Steps.done(6);
            Steps.await(7);
            p.map.put(2, 3);
            Steps.done(8);
            Steps.await(9);
            p.map.put(3, 3);
            Steps.done(10);
            Steps.await(11);
            p.map.put(4, 4);
            Steps.done(12);
            Steps.await(13);
            p.map.put(2, 7);
            Steps.done(14);
        });
        System.out.println(p.names.getMap().keySet() + " " + p.names.getMappedValue() + " " + p.sorted + " " + p.map);
    }
}
