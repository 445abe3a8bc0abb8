package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import schedule.Case;
import schedule.Turns;

/**
 * A call that accesses several variables is one event: who has asked for the number of keys comes before who adds one, and that before who asks for this key. So does who has
 * found a queue to be empty come before who puts an element in, and that before who takes it out.
 */
public class CallsOfSeveral {
    private final Turns turns = new Turns();
    private final List<Case<?>> cases = new ArrayList<>();

    private <T> void add(Supplier<T> make, Function<T, Object> first, Function<T, Object> between, Function<T, Object> second) {
        cases.add(new Case<>(make, first, between, second));
    }

    private void maps(Supplier<ConcurrentMap<String, Integer>> make) {
        add(make, Map::size, m -> m.put("k", 1), m -> m.get("k"));
        add(make, Map::size, m -> m.putIfAbsent("k", 1), m -> m.containsKey("k"));
        add(make, Map::isEmpty, m -> m.put("k", 1), m -> m.getOrDefault("k", 2));
        add(make, m -> m.containsValue(3), m -> m.put("k", 1), m -> m.remove("k"));
        add(make, m -> m.keySet().iterator().hasNext(), m -> m.put("k", 1), m -> m.replace("k", 1, 2));
        add(make, m -> m.entrySet().stream().count(), m -> m.put("k", 1), m -> m.get("k"));
        add(() -> with(make.get()), Map::size, m -> m.remove("k"), m -> m.get("k"));
        add(() -> with(make.get()), Map::size, m -> m.remove("k", 0), m -> m.get("k"));
        add(() -> with(make.get()), Map::size, m -> {
            m.keySet().removeIf("k"::equals);
            return m.keySet().remove("k") || m.remove("j") != null;
        }, m -> m.get("j"));
    }

    private static ConcurrentMap<String, Integer> with(ConcurrentMap<String, Integer> map) {
        map.put("k", 0);
        map.put("j", 0);
        return map;
    }

    private void sets(Supplier<Set<String>> make) {
        add(make, Set::size, s -> s.add("k"), s -> s.contains("k"));
        add(make, Set::isEmpty, s -> s.addAll(Set.of("k")), s -> s.remove("k"));
    }

    private void queues(Supplier<Queue<String>> make) {
        add(make, Queue::poll, q -> q.add("x"), Queue::poll);
        add(make, Queue::isEmpty, q -> q.offer("x"), Queue::remove);
        add(make, Queue::size, q -> q.add("x"), Queue::peek);
        add(make, Queue::peek, q -> q.add("x"), Queue::element);
        add(make, q -> q.contains("x"), q -> q.add("x"), Queue::poll);
        add(make, q -> q.add("x"), Queue::size, Queue::poll);
        add(() -> {
            Queue<String> queue = make.get();
            queue.add("x");
            return queue;
        }, Queue::poll, Queue::size, q -> q.add("y"));
    }

    private void blocking(Supplier<BlockingQueue<String>> make) {
        add(make, q -> q.remainingCapacity(), q -> q.offer("x"), Queue::poll);
    }

    private void all() {
        maps(ConcurrentHashMap::new);
        maps(ConcurrentSkipListMap::new);
        this.<NavigableMap<String, Integer>>add(ConcurrentSkipListMap::new, m -> m.ceilingKey("a"), m -> m.put("k", 1), m -> m.get("k"));
        this.<NavigableMap<String, Integer>>add(ConcurrentSkipListMap::new, NavigableMap::firstEntry, m -> m.put("k", 1), m -> m.get("k"));
        sets(ConcurrentHashMap::newKeySet);
        sets(ConcurrentSkipListSet::new);
        queues(ConcurrentLinkedQueue::new);
        queues(ConcurrentLinkedDeque::new);
        queues(LinkedBlockingQueue::new);
        queues(LinkedBlockingDeque::new);
        queues(LinkedTransferQueue::new);
        queues(PriorityBlockingQueue::new);
        queues(() -> new ArrayBlockingQueue<>(3));
        blocking(() -> new LinkedBlockingQueue<>(3));
        blocking(() -> new ArrayBlockingQueue<>(3));
    }

    // finding: violating.CallsOfSeveral.around(schedule.Case) stale check-then-act on a collection
    // finding: violating.CallsOfSeveral.around(schedule.Case) inconsistent view
    // finding: violating.CallsOfSeveral.around(schedule.Case) torn update
    // violated: violating.CallsOfSeveral.around(schedule.Case) 75
    Object around(Case<?> c) {
        Object found = c.first();
        turns.give(c::between);
        return c.second() == found;
    }

    public static void main(String[] args) throws InterruptedException {
        CallsOfSeveral p = new CallsOfSeveral();
        p.all();
        p.turns.run(() -> {
            for (Case<?> c : p.cases) {
                c.begin();
                p.around(c);
            }
        });
        System.out.println(p.cases.size());
    }
}
