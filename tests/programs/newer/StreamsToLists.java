package newer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import schedule.Steps;

/**
 * Calls that came with Java 16.
 */
public class StreamsToLists {
    private final List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
    private final List<Integer> twice = new ArrayList<>();

    // finding: newer.StreamsToLists.append() stale check-then-act on a collection
    void append() {
        Stream<Integer> doubled = list.stream().mapMulti((v, take) -> take.accept(2 * v));
        List<Integer> seen = doubled.toList();
        Steps.done(1);
        Steps.await(2);
        list.addAll(seen);
    }

    /** Once. */
    void copy() {
        Steps.done(3);
        Steps.await(4);
        twice.addAll(list.stream().toList());
        twice.addAll(twice.stream().toList());
    }

    public static void main(String[] args) throws InterruptedException {
        StreamsToLists p = new StreamsToLists();
        Steps.run(() -> {
            p.append();
            p.copy();
        }, () -> {
            Steps.await(1);
            p.list.add(9);
            Steps.done(2);
            Steps.await(3);
            p.list.add(10);
            Steps.done(4);
        });
        System.out.println(p.list + " " + p.twice);
    }
}
