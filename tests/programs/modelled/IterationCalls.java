package modelled;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls of the views of maps that are made for threads, of what goes over them, and of sets that are made for threads.
 */
public class IterationCalls extends Calls {
    /** All of them. */
    public IterationCalls() {
        hashMap();
        streams();
        skipListMap();
        parts();
        sets();
        changes();
    }

    private static <M extends Map<Integer, Integer>> M filled(M map) {
        for (int i = 1; i <= 4; i++) {
            map.put(i, i);
        }
        return map;
    }

    private static <S extends Set<Integer>> S filled(S set) {
        for (int i = 1; i <= 4; i++) {
            set.add(i);
        }
        return set;
    }

    private static Object all(Iterator<?> iterator) {
        Object last = null;
        while (iterator.hasNext()) {
            last = iterator.next();
        }
        return last;
    }

    private static Object all(Enumeration<?> keys) {
        Object last = null;
        while (keys.hasMoreElements()) {
            last = keys.nextElement();
        }
        return last;
    }

    private void hashMap() {
        reads(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.keySet().iterator().next(), (m, t) -> m.values().iterator().next(),
            (m, t) -> m.entrySet().iterator().next(), (m, t) -> m.keys().nextElement(), (m, t) -> m.elements().nextElement(), (m, t) -> m.keySet().contains(1),
            (m, t) -> all(m.keySet().iterator()), (m, t) -> all(m.keys()), (m, t) -> m.values().toArray(), (m, t) -> m.entrySet().hashCode(),
            (m, t) -> m.keySet().toString(), (m, t) -> m.toString(), (m, t) -> m.hashCode(), (m, t) -> m.keySet().removeIf(k -> k > 9), (m, t) -> {
                m.forEach((k, v) -> { });
                return null;
            }, (m, t) -> {
                m.values().forEach(v -> { });
                return null;
            }, (m, t) -> {
                m.keySet().iterator().forEachRemaining(k -> { });
                return null;
            }, (m, t) -> m.keys().asIterator().next(), (m, t) -> all(m.elements().asIterator()), (m, t) -> m.keySet().spliterator().tryAdvance(k -> { }),
            (m, t) -> m.values().spliterator().tryAdvance(v -> { }), (m, t) -> m.entrySet().spliterator().tryAdvance(e -> { }), (m, t) -> {
                m.values().spliterator().forEachRemaining(v -> { });
                return null;
            }, (m, t) -> {
                Spliterator<Integer> keys = m.keySet().spliterator();
                while (keys.tryAdvance(k -> { })) {
                    keys.estimateSize();
                }
                return null;
            });
        // It comes and goes again, so that the map is empty both times.
        reads(ConcurrentHashMap<Integer, Integer>::new, (m, t) -> {
            m.put(9, 9);
            return m.remove(9);
        }, (m, t) -> m.keySet().iterator().hasNext(), (m, t) -> m.keys().hasMoreElements(), (m, t) -> m.values().isEmpty(), (m, t) -> m.entrySet().size(),
            (m, t) -> m.keys().asIterator().hasNext(), (m, t) -> m.keySet().spliterator().tryAdvance(k -> { }));
    }

    private void streams() {
        reads(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.values().stream().map(v -> v + 1).collect(Collectors.toList()),
            (m, t) -> m.keySet().stream().filter(k -> k > 1).count(), (m, t) -> m.values().stream().mapToInt(v -> v).sum(),
            (m, t) -> m.values().stream().mapToLong(v -> v).max(), (m, t) -> m.values().stream().mapToDouble(v -> v).average(),
            (m, t) -> m.entrySet().stream().flatMap(e -> Stream.of(e.getKey(), e.getValue())).distinct().sorted().reduce(0, Integer::sum),
            (m, t) -> m.values().parallelStream().sequential().mapToInt(v -> v).boxed().min(Integer::compare),
            (m, t) -> m.values().stream().parallel().unordered().sequential().mapToInt(v -> v).mapToObj(v -> v).toArray(), (m, t) -> {
                m.keySet().stream().peek(k -> { }).forEachOrdered(k -> { });
                return null;
            }, (m, t) -> m.values().stream().skip(2).count(), (m, t) -> m.keySet().stream().dropWhile(k -> k < 3).collect(Collectors.toList()));
    }

    private void skipListMap() {
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.firstKey(), (m, t) -> m.firstEntry(), (m, t) -> m.floorKey(1),
            (m, t) -> m.ceilingKey(1), (m, t) -> m.lowerKey(2), (m, t) -> m.higherKey(0), (m, t) -> m.floorEntry(1), (m, t) -> m.ceilingEntry(1),
            (m, t) -> m.lowerEntry(2), (m, t) -> m.higherEntry(0), (m, t) -> m.keySet().iterator().next(), (m, t) -> m.values().iterator().next(),
            (m, t) -> m.entrySet().iterator().next(), (m, t) -> m.navigableKeySet().first(), (m, t) -> m.keySet().floor(1), (m, t) -> m.keySet().ceiling(1),
            (m, t) -> m.keySet().lower(2), (m, t) -> m.keySet().higher(0), (m, t) -> m.keySet().contains(1), (m, t) -> m.descendingKeySet().last(),
            (m, t) -> m.descendingMap().lastKey(), (m, t) -> m.keySet().headSet(3).first(), (m, t) -> m.keySet().tailSet(1).first(),
            (m, t) -> m.keySet().subSet(1, 3).contains(1), (m, t) -> m.keySet().descendingSet().last());
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(4, 9), (m, t) -> m.lastKey(), (m, t) -> m.lastEntry(), (m, t) -> m.keySet().last(),
            (m, t) -> m.keySet().descendingIterator().next(), (m, t) -> all(m.values().iterator()), (m, t) -> {
                m.keySet().spliterator().forEachRemaining(k -> { });
                return null;
            });
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> {
            m.put(9, 9);
            return m.remove(9);
        }, (m, t) -> m.keySet().spliterator().tryAdvance(k -> { }), (m, t) -> m.values().spliterator().tryAdvance(v -> { }),
            (m, t) -> m.entrySet().spliterator().tryAdvance(e -> { }));
    }

    /** Parts of a map. */
    private void parts() {
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(2, 9), (m, t) -> m.headMap(3).get(2), (m, t) -> m.tailMap(2).firstKey(),
            (m, t) -> m.subMap(2, 4).firstEntry(), (m, t) -> m.subMap(2, 4).keySet().iterator().next(), (m, t) -> m.subMap(2, 4).values().iterator().next(),
            (m, t) -> m.subMap(2, 4).entrySet().iterator().next(), (m, t) -> m.descendingMap().tailMap(2).keySet().iterator().next(),
            (m, t) -> m.subMap(2, 4).keySet().spliterator().tryAdvance(k -> { }), (m, t) -> m.subMap(2, 4).values().spliterator().tryAdvance(v -> { }),
            (m, t) -> m.subMap(2, 4).entrySet().spliterator().tryAdvance(e -> { }), (m, t) -> {
                m.subMap(2, 4).forEach((k, v) -> { });
                return null;
            });
    }

    private void sets() {
        reads(() -> filled(new ConcurrentSkipListSet<>()), (s, t) -> s.remove(1), (s, t) -> s.contains(1), (s, t) -> s.first(), (s, t) -> s.iterator().next(),
            (s, t) -> s.size(), (s, t) -> s.headSet(3).size(), (s, t) -> s.stream().count(), (s, t) -> s.descendingIterator().next());
        reads(() -> filled(ConcurrentHashMap.newKeySet()), (s, t) -> s.remove(1), (s, t) -> s.contains(1), (s, t) -> s.iterator().next(),
            (s, t) -> s.isEmpty(), (s, t) -> s.toArray());
        writes(() -> filled(new ConcurrentSkipListSet<>()), (s, t) -> s.isEmpty(), (s, t) -> s.add(10 + t), (s, t) -> s.remove(t + 1), (s, t) -> s.pollFirst(),
            (s, t) -> s.pollLast(), (s, t) -> {
                s.clear();
                return null;
            });
        writes(() -> filled(ConcurrentHashMap.newKeySet()), (s, t) -> s.size(), (s, t) -> s.add(10 + t), (s, t) -> s.remove(t + 1));
    }

    private void changes() {
        writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.get(1), (m, t) -> m.entrySet().iterator().next().setValue(7));
        writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.size(), (m, t) -> {
            Iterator<Integer> keys = m.keySet().iterator();
            keys.next();
            keys.remove();
            return null;
        }, (m, t) -> m.keySet().remove(t + 1));
        writes(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.size(), (m, t) -> m.pollFirstEntry(), (m, t) -> m.pollLastEntry(),
            (m, t) -> m.keySet().pollFirst(), (m, t) -> m.keySet().pollLast(), (m, t) -> {
                Iterator<Integer> values = m.subMap(1, 4).values().iterator();
                values.next();
                values.remove();
                return null;
            });
    }
}
