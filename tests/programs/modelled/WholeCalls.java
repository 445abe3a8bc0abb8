package modelled;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls that look at the whole of a map or a set that is made for threads, as their results say, and calls of views and copies of other collections.
 */
public class WholeCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);
    private static final String XML = "<!DOCTYPE properties SYSTEM \"http://java.sun.com/dtd/properties.dtd\"><properties><entry key=\"k\">v</entry></properties>";

    /** All of them. */
    public WholeCalls() {
        maps();
        streams();
        sets();
        each();
        views();
        copies();
        properties();
    }

    private static <M extends Map<Integer, Integer>> M filled(M map) {
        for (Integer i : SOME) {
            map.put(i, i);
        }
        return map;
    }

    private static <S extends Set<Integer>> S filled(S set) {
        for (Integer i : SOME) {
            set.add(i);
        }
        return set;
    }

    private void maps() {
        reads(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.containsValue(7), (m, t) -> m.contains(7),
            (m, t) -> t == 0 ? m.equals(filled(new HashMap<>())) : m.get(1) == null, (m, t) -> m.values().contains(7), (m, t) -> m.values().remove(7),
            (m, t) -> m.values().retainAll(List.of(1, 2, 3, 4, 9)), (m, t) -> {
                m.replaceAll((k, v) -> v);
                return null;
            });
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.containsValue(7), (m, t) -> m.values().contains(7),
            (m, t) -> m.values().remove(7), (m, t) -> m.clone(), (m, t) -> m.subMap(1, 3).containsValue(7), (m, t) -> {
                m.replaceAll((k, v) -> v);
                return null;
            });
    }

    /** They come to their ends. */
    private void streams() {
        reads(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.values().stream().anyMatch(v -> v == 7), (m, t) -> m.values().stream().noneMatch(v -> v == 7),
            (m, t) -> m.keySet().stream().allMatch(k -> k < 7), (m, t) -> m.values().stream().filter(v -> v == 7).findFirst(),
            (m, t) -> m.values().stream().filter(v -> v == 7).findAny(), (m, t) -> m.values().stream().mapToInt(v -> v).filter(v -> v == 7).findFirst(),
            (m, t) -> m.values().stream().mapToLong(v -> v).filter(v -> v == 7).findFirst(),
            (m, t) -> m.values().stream().mapToDouble(v -> v).filter(v -> v == 7).findAny());
    }

    private void sets() {
        reads(() -> filled(new ConcurrentSkipListSet<>()), (s, t) -> s.remove(1), (s, t) -> t == 0 ? s.equals(Set.copyOf(SOME)) : s.contains(1),
            (s, t) -> t == 0 ? s.retainAll(SOME) : s.contains(1), (s, t) -> t == 0 ? s.clone() : (Object) s.contains(1));
        reads(() -> filled(ConcurrentHashMap.<Integer>newKeySet()), (s, t) -> s.remove(1), (s, t) -> t == 0 ? s.equals(Set.copyOf(SOME)) : s.contains(1),
            (s, t) -> t == 0 ? s.retainAll(SOME) : s.contains(1));
        reads(() -> filled(Collections.newSetFromMap(new ConcurrentHashMap<Integer, Boolean>())), (s, t) -> s.remove(1),
            (s, t) -> t == 0 ? s.equals(Set.copyOf(SOME)) : s.contains(1), (s, t) -> t == 0 ? s.retainAll(SOME) : s.contains(1), (s, t) -> s.removeIf(v -> v == 7));
    }

    /** What is done with each key of another collection, which nobody can change, or of which only the result is known. */
    private void each() {
        for (Supplier<Set<Integer>> make : List.<Supplier<Set<Integer>>>of(ConcurrentSkipListSet::new, ConcurrentHashMap::newKeySet,
            () -> Collections.newSetFromMap(new ConcurrentHashMap<>()))) {
            reads(() -> filled(make.get()), (s, t) -> s.remove(1), (s, t) -> t == 0 ? s.containsAll(SOME) : s.contains(1), (s, t) -> t == 0 ? s.addAll(List.of(1, 2)) : s.contains(1));
            reads(make, (s, t) -> s.add(7), (s, t) -> t == 0 ? s.removeAll(Set.of(7)) : s.contains(7));
            writes(() -> filled(make.get()), (s, t) -> s.contains(10), (s, t) -> t == 0 ? s.addAll(Collections.singleton(10)) : s.removeAll(List.of(10)));
            writes(() -> filled(make.get()), (s, t) -> s.size(), (s, t) -> s.addAll(List.of(10 + t, 20 + t)), (s, t) -> s.addAll(new ArrayList<>(List.of(10 + t))));
        }
        writes(() -> filled(new ConcurrentSkipListSet<>()), (s, t) -> s.size(), (s, t) -> s.removeAll(List.of(t + 1, 7)), (s, t) -> s.removeAll(new ArrayList<>(List.of(t + 1))));
        writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.get(9), (m, t) -> put(m, Map.of(9, t)), (m, t) -> put(m, Collections.singletonMap(9, t)));
        writes(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.size(), (m, t) -> m.values().removeIf(v -> v == t + 1), (m, t) -> m.entrySet().removeIf(e -> e.getKey() == t + 1));
        writes(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.get(9), (m, t) -> put(m, Map.of(9, t, 10, t)), (m, t) -> put(m.tailMap(3), Map.of(9, t)));
        writes(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.size(), (m, t) -> m.values().removeIf(v -> v == t + 1), (m, t) -> m.entrySet().removeIf(e -> e.getKey() == t + 1));
        reads(() -> filled(new ConcurrentHashMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.keySet().containsAll(Set.copyOf(SOME)), (m, t) -> m.values().removeAll(List.of(7)));
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.keySet().containsAll(SOME.subList(0, 2)), (m, t) -> m.values().removeAll(List.of(7)),
            (m, t) -> m.values().containsAll(List.of(7)));
        reads(() -> filled(new ConcurrentSkipListMap<>()), (m, t) -> m.put(7, 7), (m, t) -> t == 0 ? m.keySet().removeAll(List.of(7)) : m.containsKey(7));
    }

    private static Object put(Map<Integer, Integer> map, Map<Integer, Integer> more) {
        map.putAll(more);
        return null;
    }

    private void views() {
        reads(() -> new TreeSet<>(SOME), (s, t) -> s.add(9), (s, t) -> s.headSet(3).size(), (s, t) -> s.tailSet(2).first(), (s, t) -> s.subSet(1, 3).last(),
            (s, t) -> s.descendingSet().floor(2), (s, t) -> s.descendingIterator().next());
        reads(() -> filled(new TreeMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.headMap(3).get(1), (m, t) -> m.tailMap(1).firstKey(),
            (m, t) -> m.descendingMap().containsKey(1), (m, t) -> m.navigableKeySet().first(), (m, t) -> m.descendingKeySet().headSet(3).size());
        writes(() -> filled(new TreeMap<>()), (m, t) -> m.size(), (m, t) -> m.headMap(3).put(1, t), (m, t) -> m.tailMap(1).remove(t + 1),
            (m, t) -> m.navigableKeySet().pollFirst());
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> Collections.checkedList(l, Integer.class).get(0), (l, t) -> l.stream().iterator().hasNext(),
            (l, t) -> l.stream().mapToInt(v -> v).iterator().hasNext(), (l, t) -> l.stream().mapToLong(v -> v).iterator().hasNext(),
            (l, t) -> l.stream().mapToDouble(v -> v).iterator().hasNext());
        reads(() -> new Vector<>(SOME), (v, t) -> v.add(9), (v, t) -> v.elements().asIterator().next(), (v, t) -> v.elements().asIterator().hasNext());
        reads(() -> filled(new Hashtable<>()), (m, t) -> m.put(9, 9), (m, t) -> m.keys().asIterator().next());
        reads(() -> filled(new HashMap<>()), (m, t) -> m.put(9, 9), (m, t) -> Collections.checkedMap(m, Integer.class, Integer.class).get(1));
        writes(() -> new ArrayList<>(SOME), (l, t) -> l.size(), (l, t) -> Collections.checkedCollection(l, Integer.class).add(5));
        writes(CopyOnWriteArrayList<Integer>::new, (l, t) -> l.size(), (l, t) -> l.addIfAbsent(t), (l, t) -> l.addAllAbsent(List.of(t)));
        reads(() -> new CopyOnWriteArrayList<>(SOME), (l, t) -> l.remove(l.size() - 1), (l, t) -> l.addIfAbsent(1), (l, t) -> t == 0 ? l.addAllAbsent(List.of(1)) : l.size());
    }

    private void copies() {
        reads(() -> new ArrayList<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> new LinkedList<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> new Vector<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> new ArrayDeque<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> new HashSet<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> new TreeSet<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> EnumSet.of(TimeUnit.DAYS), (c, t) -> c.add(TimeUnit.HOURS), (c, t) -> c.clone());
        reads(() -> new CopyOnWriteArrayList<>(SOME), (c, t) -> c.add(9), (c, t) -> c.clone());
        reads(() -> filled(new HashMap<>()), (c, t) -> c.put(9, 9), (c, t) -> c.clone());
        reads(() -> filled(new TreeMap<>()), (c, t) -> c.put(9, 9), (c, t) -> c.clone());
        reads(() -> filled(new IdentityHashMap<>()), (c, t) -> c.put(9, 9), (c, t) -> c.clone());
        reads(() -> filled(new Hashtable<>()), (c, t) -> c.put(9, 9), (c, t) -> c.clone());
        reads(() -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), (c, t) -> c.put(TimeUnit.HOURS, 1), (c, t) -> c.clone());
        reads(BitSet::new, (c, t) -> {
            c.set(1);
            return null;
        }, (c, t) -> c.clone());
    }

    private void properties() {
        reads(Properties::new, (p, t) -> p.setProperty("k", "v"), (p, t) -> p.stringPropertyNames(), (p, t) -> p.propertyNames(), (p, t) -> {
            p.store(new ByteArrayOutputStream(), null);
            return null;
        }, (p, t) -> {
            p.list(System.err);
            return null;
        }, (p, t) -> {
            p.storeToXML(new ByteArrayOutputStream(), null);
            return null;
        });
        writes(Properties::new, (p, t) -> p.size(), (p, t) -> {
            p.load(new StringReader("k = v"));
            return null;
        }, (p, t) -> {
            p.loadFromXML(new ByteArrayInputStream(XML.getBytes(StandardCharsets.UTF_8)));
            return null;
        });
    }
}
