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

    private void views() {
        reads(() -> new TreeSet<>(SOME), (s, t) -> s.add(9), (s, t) -> s.headSet(3).size(), (s, t) -> s.tailSet(2).first(), (s, t) -> s.subSet(1, 3).last(),
            (s, t) -> s.descendingSet().floor(2), (s, t) -> s.descendingIterator().next());
        reads(() -> filled(new TreeMap<>()), (m, t) -> m.put(1, 9), (m, t) -> m.headMap(3).get(1), (m, t) -> m.tailMap(1).firstKey(),
            (m, t) -> m.descendingMap().containsKey(1), (m, t) -> m.navigableKeySet().first(), (m, t) -> m.descendingKeySet().headSet(3).size());
        writes(() -> filled(new TreeMap<>()), (m, t) -> m.size(), (m, t) -> m.headMap(3).put(1, t), (m, t) -> m.tailMap(1).remove(t + 1),
            (m, t) -> m.navigableKeySet().pollFirst());
        reads(() -> new ArrayList<>(SOME), (l, t) -> l.add(9), (l, t) -> Collections.checkedList(l, Integer.class).get(0));
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
