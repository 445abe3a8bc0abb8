package modelled;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Calls of collections that other programs of these tests do not make.
 */
public class CollectionCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);

    /** All of them. */
    public CollectionCalls() {
        lists();
        streams();
        vectors();
        deques();
        sets();
        bits();
        maps();
        concurrentMaps();
        unmodifiable();
    }

    private static TreeMap<Integer, Integer> map() {
        return new TreeMap<>(Map.of(1, 1, 2, 2, 3, 3, 4, 4));
    }

    private static <M extends Map<Integer, Integer>> M filled(M map) {
        map.put(1, 1);
        return map;
    }

    private static Set<Integer> filled(Set<Integer> set) {
        set.addAll(SOME);
        return set;
    }

    private void lists() {
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> l.containsAll(SOME), (l, t) -> l.toArray(), (l, t) -> {
            l.forEach(v -> { });
            return null;
        }, (l, t) -> l.hashCode(), (l, t) -> l.equals(SOME), (l, t) -> l.toString(), (l, t) -> l.indexOf(2), (l, t) -> l.lastIndexOf(2),
            (l, t) -> l.iterator().hasNext(), (l, t) -> l.iterator().next(), (l, t) -> l.listIterator(1).previous(),
            (l, t) -> l.subList(0, 1).size(), (l, t) -> {
                l.iterator().forEachRemaining(v -> { });
                return null;
            });
        writes(() -> new ArrayList<>(SOME), (l, t) -> l.size(), (l, t) -> l.addAll(SOME), (l, t) -> {
            l.clear();
            return null;
        }, (l, t) -> l.removeAll(List.of(t + 1)),
            (l, t) -> l.retainAll(t == 0 ? List.of(1, 2) : List.of(1)), (l, t) -> l.removeIf(v -> v == t + 1), (l, t) -> {
                l.sort(null);
                return null;
            }, (l, t) -> {
                l.replaceAll(v -> v + 1);
                return null;
            }, (l, t) -> {
                Iterator<Integer> iterator = l.iterator();
                iterator.next();
                iterator.remove();
                return null;
            }, (l, t) -> {
                ListIterator<Integer> iterator = l.listIterator();
                iterator.next();
                iterator.set(7);
                return null;
            }, (l, t) -> {
                l.listIterator().add(7);
                return null;
            });
    }

    /** What can stop before the end, too, because there is one variable for all. */
    private void streams() {
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> l.stream().filter(v -> v > 1).findFirst(), (l, t) -> l.stream().map(v -> v + 1).findAny(),
            (l, t) -> l.stream().anyMatch(v -> v > 1), (l, t) -> l.parallelStream().sequential().allMatch(v -> v > 0), (l, t) -> l.stream().noneMatch(v -> v > 9),
            (l, t) -> l.stream().limit(2).toArray(), (l, t) -> l.stream().skip(1).collect(Collectors.toList()), (l, t) -> l.stream().takeWhile(v -> v < 3).count(),
            (l, t) -> l.stream().dropWhile(v -> v < 3).reduce(0, Integer::sum), (l, t) -> l.stream().iterator().next(),
            (l, t) -> l.stream().onClose(() -> { }).spliterator().tryAdvance(v -> { }), (l, t) -> l.spliterator().trySplit().tryAdvance(v -> { }),
            (l, t) -> l.stream().mapToInt(v -> v).asLongStream().sum(), (l, t) -> l.stream().mapToInt(v -> v).asDoubleStream().sum(),
            (l, t) -> l.stream().mapToInt(v -> v).summaryStatistics(), (l, t) -> l.stream().mapToInt(v -> v).iterator().nextInt(),
            (l, t) -> l.stream().mapToLong(v -> v).iterator().nextLong(), (l, t) -> l.stream().mapToDouble(v -> v).iterator().nextDouble(),
            (l, t) -> l.stream().flatMapToInt(IntStream::of).max(), (l, t) -> l.stream().flatMapToLong(LongStream::of).max(),
            (l, t) -> l.stream().flatMapToDouble(DoubleStream::of).max(), (l, t) -> {
                l.stream().sorted().forEach(v -> { });
                return null;
            }, (l, t) -> {
                l.spliterator().forEachRemaining(v -> { });
                return null;
            });
        reads(CollectionCalls::map, (m, t) -> m.put(9, 9), (m, t) -> m.entrySet().stream().map(Map.Entry::getKey).collect(Collectors.toSet()),
            (m, t) -> m.values().stream().distinct().count(), (m, t) -> m.keySet().parallelStream().sequential().findFirst());
        reads(() -> new CopyOnWriteArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> l.stream().count(), (l, t) -> l.subList(0, 0).spliterator().tryAdvance(v -> { }));
        reads(() -> Collections.synchronizedList(new ArrayList<>(SOME)), (l, t) -> l.add(9), (l, t) -> l.stream().count());
    }

    private void vectors() {
        reads(() -> new Vector<>(SOME), (v, t) -> v.add(9), (v, t) -> v.elementAt(0), (v, t) -> v.firstElement(), (v, t) -> v.lastElement(), (v, t) -> {
            v.copyInto(new Object[9]);
            return null;
        }, (v, t) -> v.elements().hasMoreElements(), (v, t) -> v.elements().nextElement());
        reads(Stack<Integer>::new, (s, t) -> s.push(1), (s, t) -> s.search(1));
        writes(() -> new Vector<>(SOME), (v, t) -> v.size(), (v, t) -> {
            v.addElement(5);
            return null;
        }, (v, t) -> {
            v.insertElementAt(5, 0);
            return null;
        }, (v, t) -> {
            v.setElementAt(5, 0);
            return null;
        }, (v, t) -> {
            v.removeAllElements();
            return null;
        }, (v, t) -> {
            v.removeElementAt(0);
            return null;
        }, (v, t) -> {
            v.setSize(5 + t);
            return null;
        }, (v, t) -> v.removeElement(t + 1));
        writes(() -> {
            Stack<Integer> stack = new Stack<>();
            stack.addAll(SOME);
            return stack;
        }, (s, t) -> s.empty(), (s, t) -> s.pop());
    }

    private void deques() {
        reads(() -> new LinkedList<>(SOME), (d, t) -> d.add(9), (d, t) -> d.peekFirst(), (d, t) -> d.getLast(), (d, t) -> d.peekLast(), (d, t) -> d.getFirst(), (d, t) -> d.descendingIterator().next());
        writes(() -> new LinkedList<>(SOME), (d, t) -> d.size(), (d, t) -> d.pop(), (d, t) -> d.removeFirst(), (d, t) -> d.offerFirst(5),
            (d, t) -> d.offerLast(5), (d, t) -> d.removeFirstOccurrence(t + 1), (d, t) -> d.pollFirst(), (d, t) -> d.pollLast(),
            (d, t) -> d.removeLast(), (d, t) -> d.removeLastOccurrence(t + 1), (d, t) -> {
                d.addFirst(5);
                return null;
            }, (d, t) -> {
                d.addLast(5);
                return null;
            });
    }

    private void sets() {
        reads(() -> new TreeSet<>(SOME), (s, t) -> s.add(9), (s, t) -> s.first(), (s, t) -> s.last(), (s, t) -> s.floor(2), (s, t) -> s.ceiling(2), (s, t) -> s.lower(3), (s, t) -> s.higher(1));
        reads(() -> Collections.synchronizedSortedSet(new TreeSet<>(SOME)), (s, t) -> s.add(9), (s, t) -> s.first());
        reads(() -> Collections.synchronizedNavigableSet(new TreeSet<>(SOME)), (s, t) -> s.add(9), (s, t) -> s.floor(2));
        reads(() -> Collections.synchronizedNavigableMap(map()), (m, t) -> m.put(9, 9), (m, t) -> m.floorKey(2));
        writes(() -> new TreeSet<>(SOME), (s, t) -> s.size(), (s, t) -> s.pollFirst(), (s, t) -> s.pollLast());
        reads(() -> EnumSet.of(TimeUnit.DAYS), (s, t) -> s.add(TimeUnit.HOURS), (s, t) -> s.contains(TimeUnit.HOURS), (s, t) -> s.iterator(), (s, t) -> s.stream().count());
        writes(() -> EnumSet.of(TimeUnit.DAYS), (s, t) -> s.size(), (s, t) -> s.add(t == 0 ? TimeUnit.HOURS : TimeUnit.MINUTES));
        reads(() -> filled(Collections.newSetFromMap(new ConcurrentHashMap<>())), (s, t) -> s.remove(1), (s, t) -> s.contains(1), (s, t) -> s.size(),
            (s, t) -> s.isEmpty(), (s, t) -> s.toArray(), (s, t) -> s.hashCode(), (s, t) -> {
                s.forEach(v -> { });
                return null;
            });
        writes(() -> filled(Collections.newSetFromMap(new ConcurrentHashMap<>())), (s, t) -> s.size(), (s, t) -> s.add(10 + t), (s, t) -> s.remove(t + 1), (s, t) -> {
            s.clear();
            return null;
        });
    }

    private static BitSet four() {
        BitSet bits = new BitSet();
        bits.set(1, 4);
        return bits;
    }

    private void bits() {
        reads(CollectionCalls::four, (b, t) -> {
            b.set(9);
            return null;
        }, (b, t) -> b.get(1), (b, t) -> b.nextSetBit(1), (b, t) -> b.nextClearBit(1), (b, t) -> b.previousSetBit(1), (b, t) -> b.previousClearBit(1),
            (b, t) -> b.cardinality(), (b, t) -> b.isEmpty(), (b, t) -> b.length(), (b, t) -> b.size(), (b, t) -> b.intersects(four()), (b, t) -> b.equals(four()),
            (b, t) -> b.hashCode(), (b, t) -> b.toString(), (b, t) -> b.toByteArray(), (b, t) -> b.toLongArray(), (b, t) -> b.stream().sum());
        writes(CollectionCalls::four, (b, t) -> b.cardinality(), (b, t) -> {
            b.flip(7);
            return null;
        }, (b, t) -> {
            b.clear(1);
            return null;
        }, (b, t) -> {
            b.and(four());
            return null;
        }, (b, t) -> {
            b.or(four());
            return null;
        }, (b, t) -> {
            b.xor(four());
            return null;
        }, (b, t) -> {
            b.andNot(four());
            return null;
        });
    }

    /** What is done with a wrapper is done to what it has inside. */
    private void unmodifiable() {
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> Collections.unmodifiableList(l).get(0), (l, t) -> Collections.unmodifiableCollection(l).iterator().next(),
            (l, t) -> Collections.unmodifiableCollection(Collections.unmodifiableList(l)).size(), (l, t) -> Collections.unmodifiableList(l).stream().count());
        reads(CollectionCalls::map, (m, t) -> m.put(9, 9), (m, t) -> Collections.unmodifiableMap(m).get(1), (m, t) -> Collections.unmodifiableSortedMap(m).firstKey(),
            (m, t) -> Collections.unmodifiableMap(m).keySet().size(), (m, t) -> Collections.unmodifiableMap(m).entrySet().iterator().next());
        reads(() -> filled(new ConcurrentHashMap<Integer, Integer>()), (m, t) -> m.put(1, 9), (m, t) -> Collections.unmodifiableMap(m).get(1));
    }

    private void maps() {
        reads(CollectionCalls::map, (m, t) -> m.put(9, 9), (m, t) -> m.getOrDefault(1, 5), (m, t) -> m.containsValue(1), (m, t) -> m.hashCode(), (m, t) -> m.equals(Map.of()),
            (m, t) -> m.toString(), (m, t) -> m.computeIfAbsent(1, k -> k), (m, t) -> m.firstKey(), (m, t) -> m.lastKey(), (m, t) -> m.firstEntry(),
            (m, t) -> m.lastEntry(), (m, t) -> m.floorKey(2), (m, t) -> m.ceilingKey(2), (m, t) -> m.lowerKey(3), (m, t) -> m.higherKey(1),
            (m, t) -> m.floorEntry(2), (m, t) -> m.ceilingEntry(2), (m, t) -> m.lowerEntry(3), (m, t) -> m.higherEntry(1), (m, t) -> m.keySet().size(),
            (m, t) -> m.values().contains(1), (m, t) -> m.entrySet().iterator().next(), (m, t) -> m.navigableKeySet().size(),
            (m, t) -> m.descendingKeySet().size(), (m, t) -> m.descendingMap().size(), (m, t) -> m.headMap(3).size(), (m, t) -> m.tailMap(1).size(),
            (m, t) -> m.subMap(1, 3).size(), (m, t) -> {
                m.forEach((k, v) -> { });
                return null;
            });
        reads(() -> filled(new Hashtable<Integer, Integer>()), (m, t) -> m.put(2, 2), (m, t) -> m.keys().nextElement());
        reads(() -> filled(new HashMap<>()), (m, t) -> m.put(1, 2), (m, t) -> m.entrySet().iterator().next().getValue());
        for (Supplier<Map<Integer, Integer>> make : List.<Supplier<Map<Integer, Integer>>>of(HashMap::new, LinkedHashMap::new, TreeMap::new, Hashtable::new, WeakHashMap::new, IdentityHashMap::new)) {
            writes(() -> filled(make.get()), (m, t) -> m.get(1), (m, t) -> m.entrySet().iterator().next().setValue(t));
        }
        writes(() -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), (m, t) -> m.get(TimeUnit.DAYS), (m, t) -> m.entrySet().iterator().next().setValue(t));
        writes(Properties::new, (p, t) -> p.getProperty("k"), (p, t) -> p.setProperty("k", "v"));
        writes(CollectionCalls::map, (m, t) -> m.size(), (m, t) -> {
            m.putAll(Map.of(8, 8));
            return null;
        }, (m, t) -> {
            m.clear();
            return null;
        }, (m, t) -> m.remove(t + 1, t + 1), (m, t) -> {
            m.replaceAll((k, v) -> v + 1);
            return null;
        }, (m, t) -> m.replace(1, 5), (m, t) -> m.replace(1, t + 1, t + 2), (m, t) -> m.compute(1, (k, v) -> v + 1),
            (m, t) -> m.computeIfPresent(1, (k, v) -> v + 1), (m, t) -> m.merge(1, 1, Integer::sum), (m, t) -> m.pollFirstEntry(),
            (m, t) -> m.pollLastEntry());
    }

    private void concurrentMaps() {
        reads(() -> filled(new ConcurrentSkipListMap<Integer, Integer>()), (m, t) -> m.put(1, 9), (m, t) -> m.computeIfAbsent(1, k -> k),
            (m, t) -> m.getOrDefault(1, 5));
        reads(() -> filled(new ConcurrentHashMap<Integer, Integer>()), (m, t) -> m.put(2, 2), (m, t) -> m.mappingCount());
        this.<ConcurrentMap<Integer, Integer>>writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.get(1), (m, t) -> m.replace(1, 5),
            (m, t) -> m.replace(1, t + 1, t + 2), (m, t) -> m.compute(1, (k, v) -> v + 1), (m, t) -> m.computeIfPresent(1, (k, v) -> v + 1),
            (m, t) -> m.merge(1, 1, Integer::sum));
        this.<ConcurrentMap<Integer, Integer>>writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 1),
            (m, t) -> m.remove(1, 1));
        this.<ConcurrentMap<Integer, Integer>>writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.size(), (m, t) -> {
            m.clear();
            return null;
        });
    }
}
