package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Steps;

/**
 * Two threads use one collection by different views of it, in methods that know nothing of the collection, or by the fields that keep them.
 */
public class ViewsHandedOn {
    private final ConcurrentSkipListMap<String, Integer> map = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, Integer> viewed = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> down = viewed.descendingMap();
    private final Map<String, Integer> up = viewed.tailMap("a");
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

    // finding: violating.ViewsHandedOn.putIntoKept() stale check-then-act on a collection
    void putIntoKept() {
        boolean isThere = down.containsKey("k");
        Steps.done(5);
        Steps.await(6);
        if (!isThere) {
            down.put("k", 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ViewsHandedOn views = new ViewsHandedOn();
        Steps.run(() -> {
            putIfAbsent(views.map.descendingMap());
            append(views.list.subList(0, 2));
            views.putIntoKept();
        }, () -> {
            Steps.await(1);
            put(views.map.tailMap("a"));
            Steps.done(2);
            Steps.await(3);
            set(views.list.subList(0, 1));
            Steps.done(4);
            Steps.await(5);
            views.up.put("k", 2);
            Steps.done(6);
        });
        System.out.println(views.map + " " + views.list);
    }
}
