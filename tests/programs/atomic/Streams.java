package atomic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import schedule.Steps;

/**
 * What a stream has not come to yet was not looked at; nor was what nobody has asked for. A copy that is made for writes is one, too.
 */
public class Streams {
    private final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    private final List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
    private final List<Integer> snapshots = new CopyOnWriteArrayList<>(List.of(1, 2, 3));

    /** Of a map that is made for threads. */
    int firstTwo() {
        Iterator<Integer> keys = map.keySet().stream().iterator();
        int first = keys.next();
        Steps.done(1);
        Steps.await(2);
        return first + keys.next();
    }

    /** It may stop before it comes to the last key. */
    boolean hasFirst() {
        boolean has = map.values().stream().anyMatch(v -> v == 1) && map.keySet().stream().findFirst().isPresent();
        Steps.done(3);
        Steps.await(4);
        return has && map.keySet().stream().limit(1).count() == 1;
    }

    /** Both look at the same: the stream is made before the change and used afterwards. */
    int late() {
        Stream<Integer> stream = list.stream().filter(v -> v > 0);
        int hash = stream.hashCode() - System.identityHashCode(stream);
        Steps.done(5);
        Steps.await(6);
        return hash + stream.collect(Collectors.toList()).size() + list.size();
    }

    /** The other way round. */
    int early() {
        Stream<Integer> stream = snapshots.stream();
        Steps.done(7);
        Steps.await(8);
        return stream.mapToInt(v -> v).sum();
    }

    /** It had fetched the second number when it said that there is one. */
    int fetched() {
        Iterator<Integer> all = list.stream().iterator();
        int sum = all.next();
        boolean has = all.hasNext();
        Steps.done(9);
        Steps.await(10);
        return has ? sum + all.next() : sum;
    }

    /** It had fetched both, which are made of one. */
    int twice() {
        Iterator<Integer> all = list.stream().flatMap(v -> Stream.of(v, v)).iterator();
        int first = all.next();
        Steps.done(11);
        Steps.await(12);
        return first + all.next();
    }

    /** Of nothing that threads share. */
    int own() {
        Supplier<Stream<Integer>> some = () -> Stream.of(4, 5);
        int sum = some.get().reduce(0, Integer::sum) + Arrays.asList(6, 7).stream().mapToInt(v -> v).sum();
        return sum + (int) some.get().filter(v -> v > 4).count();
    }

    public static void main(String[] args) throws InterruptedException {
        Streams p = new Streams();
        for (int i = 1; i < 5; i++) {
            p.map.put(i, i);
        }
        Steps.run(() -> {
            p.firstTwo();
            p.hasFirst();
            p.late();
            p.early();
            p.fetched();
            p.twice();
            p.own();
        }, () -> {
            Steps.await(1);
            p.map.put(4, 9);
            Steps.done(2);
            Steps.await(3);
            p.map.put(4, 10);
            Steps.done(4);
            Steps.await(5);
            p.list.add(8);
            Steps.done(6);
            Steps.await(7);
            p.snapshots.add(8);
            Steps.done(8);
            Steps.await(9);
            p.list.set(1, 5);
            Steps.done(10);
            Steps.await(11);
            p.list.set(0, 6);
            Steps.done(12);
            p.own();
        });
        System.out.println(p.list + " " + p.map);
    }
}
