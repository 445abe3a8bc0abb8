package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Steps;

/**
 * Two threads use one collection by different views of it, in methods that know nothing of the collection.
 */
public class ViewsHandedOn {
    private final ConcurrentSkipListMap<String, Integer> map = new ConcurrentSkipListMap<>();
    private final List<String> list = new ArrayList<>(List.of("a", "b", "c"));

    // finding: violating.ViewsHandedOn.putIfAbsent(java.util.Map) stale check-then-act on a collection
    static void putIfAbsent(Map<String, Integer> part) {
        boolean isThere = part.containsKey("k");
        Steps.done(1);
        Steps.await(2);
        if (!isThere) {
            part.put("k", 1);
        }
    }

    static void put(Map<String, Integer> part) {
        part.put("k", 2);
    }

    // finding: violating.ViewsHandedOn.append(java.util.List) lost update by get and set
    static void append(List<String> part) {
        String first = part.get(0);
        Steps.done(3);
        Steps.await(4);
        part.set(0, first + "x");
    }

    static void set(List<String> part) {
        part.set(0, "y");
    }

    public static void main(String[] args) throws InterruptedException {
        ViewsHandedOn views = new ViewsHandedOn();
        Steps.run(() -> {
            putIfAbsent(views.map.descendingMap());
            append(views.list.subList(0, 2));
        }, () -> {
            Steps.await(1);
            put(views.map.tailMap("a"));
            Steps.done(2);
            Steps.await(3);
            set(views.list.subList(0, 1));
            Steps.done(4);
        });
        System.out.println(views.map + " " + views.list);
    }
}
