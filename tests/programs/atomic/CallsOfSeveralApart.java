package atomic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import schedule.Case;
import schedule.Turns;

/**
 * A call that accesses several variables is one event, and an event that conflicts with only one of two calls in a method comes before both or after both.
 */
public class CallsOfSeveralApart {
    private final Turns turns = new Turns();
    private final List<Case<?>> cases = new ArrayList<>();

    private <T> void add(Supplier<T> make, Function<T, Object> first, Function<T, Object> between, Function<T, Object> second) {
        cases.add(new Case<>(make, first, between, second));
    }

    private void maps(Supplier<ConcurrentMap<String, Integer>> make) {
        Supplier<ConcurrentMap<String, Integer>> filled = () -> {
            ConcurrentMap<String, Integer> map = make.get();
            map.put("j", 0);
            return map;
        };
        add(filled, Map::size, m -> m.put("k", 1), m -> m.get("j"));
        add(filled, m -> m.get("k"), m -> m.put("i", 1), Map::size);
        add(filled, m -> m.put("k", 1), m -> m.put("i", 1), m -> m.put("h", 1));
        add(filled, m -> m.put("k", 1), m -> m.get("j"), m -> m.remove("k"));
        add(filled, m -> m.remove("j"), m -> m.put("k", 1), m -> m.put("j", 1));
        add(filled, m -> m.get("j"), Map::size, m -> m.get("j"));
        add(filled, Map::size, m -> m.put("j", 1), Map::isEmpty);
    }

    private void sets(Supplier<Set<String>> make) {
        add(make, Set::size, s -> s.add("k"), s -> s.contains("j"));
        add(make, s -> s.add("k"), s -> s.add("j"), s -> s.remove("k"));
    }

    private void queues(Supplier<Queue<String>> make) {
        Supplier<Queue<String>> filled = () -> {
            Queue<String> queue = make.get();
            queue.add("a");
            queue.add("b");
            return queue;
        };
        add(make, q -> q.add("x"), q -> q.add("y"), q -> q.add("z"));
        add(filled, Queue::isEmpty, q -> q.add("c"), Queue::poll);
        add(filled, Queue::peek, q -> q.add("c"), Queue::poll);
        add(filled, Queue::poll, Queue::poll, q -> q.add("x"));
        add(filled, Queue::poll, q -> q.add("x"), Queue::poll);
        add(filled, Queue::size, Queue::size, Queue::size);
    }

    private void all() {
        maps(ConcurrentHashMap::new);
        maps(ConcurrentSkipListMap::new);
        sets(ConcurrentHashMap::newKeySet);
        sets(ConcurrentSkipListSet::new);
        queues(ConcurrentLinkedQueue::new);
        queues(LinkedBlockingDeque::new);
        queues(PriorityBlockingQueue::new);
        queues(() -> new ArrayBlockingQueue<>(3));
    }

    Object around(Case<?> c) {
        Object found = c.first();
        turns.give(c::between);
        return c.second() == found;
    }

    public static void main(String[] args) throws InterruptedException {
        CallsOfSeveralApart p = new CallsOfSeveralApart();
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
