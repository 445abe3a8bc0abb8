package sequenced;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import modelled.Calls;

/**
 * Calls of collections that have a first and a last element, which came with Java 21.
 */
class SequencedCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);

    SequencedCalls() {
        collection(() -> new ArrayList<>(SOME), true);
        collection(() -> new LinkedList<>(SOME), true);
        collection(() -> new Vector<>(SOME), true);
        collection(() -> Collections.synchronizedList(new ArrayList<>(SOME)), true);
        collection(() -> new CopyOnWriteArrayList<>(SOME), true);
        collection(() -> new ArrayDeque<>(SOME), true);
        collection(() -> new LinkedHashSet<>(SOME), true);
        collection(() -> new TreeSet<>(SOME), false);
        concurrentSet();
        views();
        map(() -> new LinkedHashMap<>(of()), true);
        map(() -> new TreeMap<>(of()), false);
        map(() -> new ConcurrentSkipListMap<>(of()), false);
        viewsOfMaps();
        writes(StringBuilder::new, (b, t) -> b.length(), (b, t) -> b.repeat("x", 2), (b, t) -> b.repeat('x', 2));
        writes(StringBuffer::new, (b, t) -> b.length(), (b, t) -> b.repeat("x", 2), (b, t) -> b.repeat('x', 2));
        reads(StringBuilder::new, (b, t) -> b.append("x"), (b, t) -> b.isEmpty());
    }

    private static TreeMap<Integer, Integer> of() {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (Integer i : SOME) {
            map.put(i, i);
        }
        return map;
    }

    private void collection(Supplier<SequencedCollection<Integer>> make, boolean canAdd) {
        reads(make, (c, t) -> c.removeLast(), (c, t) -> c.getFirst(), (c, t) -> c.getLast(), (c, t) -> c.reversed().size(), (c, t) -> c.reversed().contains(1),
            (c, t) -> c.toString());
        writes(make, (c, t) -> c.size(), (c, t) -> c.removeFirst(), (c, t) -> c.removeLast(), (c, t) -> c.reversed().remove(t + 1));
        if (canAdd) {
            writes(make, (c, t) -> c.size(), (c, t) -> {
                c.addFirst(t + 5);
                return null;
            }, (c, t) -> {
                c.addLast(t + 5);
                return null;
            }, (c, t) -> {
                c.reversed().addFirst(t + 5);
                return null;
            });
        }
    }

    private void concurrentSet() {
        reads(() -> new ConcurrentSkipListSet<>(SOME), (s, t) -> s.remove(2), (s, t) -> t == 0 ? s.getFirst() : s.size(), (s, t) -> t == 0 ? s.getLast() : s.size(),
            (s, t) -> s.reversed().contains(2));
        writes(() -> new ConcurrentSkipListSet<>(SOME), (s, t) -> s.size(), (s, t) -> s.removeFirst(), (s, t) -> s.removeLast(), (s, t) -> s.reversed().remove(t + 1));
    }

    private void views() {
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> l.reversed().get(0), (l, t) -> l.reversed().iterator().next(), (l, t) -> l.reversed().reversed().indexOf(1),
            (l, t) -> l.reversed().stream().count(), (l, t) -> l.subList(0, 2).getFirst());
        reads(() -> new CopyOnWriteArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> l.reversed().get(0), (l, t) -> l.reversed().iterator(), (l, t) -> l.reversed().stream());
        this.<Deque<Integer>>reads(() -> new ArrayDeque<>(SOME), (d, t) -> d.add(9), (d, t) -> d.reversed().peekFirst(), (d, t) -> d.reversed().getLast());
        this.<Deque<Integer>>writes(() -> new ArrayDeque<>(SOME), (d, t) -> d.size(), (d, t) -> d.reversed().pollFirst(), (d, t) -> d.reversed().offerLast(5));
        reads(() -> new LinkedHashSet<>(SOME), (s, t) -> s.add(9), (s, t) -> s.reversed().getFirst(), (s, t) -> s.reversed().iterator().next());
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> Collections.unmodifiableList(l).getFirst(), (l, t) -> Collections.unmodifiableList(l).reversed().size());
    }

    private void map(Supplier<SequencedMap<Integer, Integer>> make, boolean canPut) {
        reads(make, (m, t) -> m.put(1, 9), (m, t) -> m.firstEntry(), (m, t) -> m.reversed().lastEntry(), (m, t) -> m.reversed().get(1), (m, t) -> m.reversed().containsKey(1));
        writes(make, (m, t) -> m.get(1), (m, t) -> m.reversed().put(1, t));
        writes(make, (m, t) -> m.size(), (m, t) -> m.pollFirstEntry(), (m, t) -> m.pollLastEntry());
        if (canPut) {
            writes(make, (m, t) -> m.size(), (m, t) -> m.putFirst(7, 7), (m, t) -> m.putLast(7, 7), (m, t) -> m.reversed().putFirst(7, 7));
        }
    }

    private void viewsOfMaps() {
        reads(() -> new LinkedHashMap<>(of()), (m, t) -> m.put(9, 9), (m, t) -> m.sequencedKeySet().getFirst(), (m, t) -> m.sequencedValues().getLast(),
            (m, t) -> m.sequencedEntrySet().iterator().next(), (m, t) -> m.sequencedKeySet().reversed().contains(1), (m, t) -> m.reversed().keySet().size());
        reads(() -> new TreeMap<>(of()), (m, t) -> m.put(9, 9), (m, t) -> m.sequencedKeySet().getFirst(), (m, t) -> m.reversed().firstKey());
    }
}
