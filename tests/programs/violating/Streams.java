package violating;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import schedule.Steps;

/**
 * The end of a stream looks at the collection, wherever it stops.
 */
public class Streams {
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();

    // finding: violating.Streams.name(java.lang.String) stale check-then-act on a collection
    void name(String name) {
        boolean isKnown = names.stream().anyMatch(name::equals);
        Steps.done(1);
        Steps.await(2);
        if (!isKnown) {
            names.add(name);
        }
    }

    // finding: violating.Streams.sum() unrepeatable read
    int sum() {
        Stream<Integer> values = counts.values().stream();
        // Both wait to be used.
        Stream<Map.Entry<String, Integer>> entries = counts.entrySet().stream();
        int sum = values.filter(v -> v > 0).map(v -> 2 * v).collect(Collectors.toList()).size();
        Steps.done(3);
        Steps.await(4);
        return sum + (int) entries.filter(e -> e.getValue() > 0).count();
    }

    // finding: violating.Streams.firstTwo() non-atomic iteration
    int firstTwo() {
        Iterator<String> all = names.stream().iterator();
        int length = all.next().length();
        Steps.done(5);
        Steps.await(6);
        return all.hasNext() ? length + all.next().length() : length;
    }

    public static void main(String[] args) throws InterruptedException {
        Streams p = new Streams();
        p.counts.put("a", 1);
        Steps.run(() -> {
            p.name("n");
            p.sum();
            p.firstTwo();
        }, () -> {
            Steps.await(1);
            p.names.add("n");
            Steps.done(2);
            Steps.await(3);
            p.counts.put("b", 2);
            Steps.done(4);
            Steps.await(5);
            p.names.set(1, "m");
            Steps.done(6);
        });
        System.out.println(p.names + " " + p.counts);
    }
}
