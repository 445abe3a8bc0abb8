package modelled;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls whose argument is the object: what they do with a collection or a map that they are given. Their receivers are others each time. The other thread changes what
 * they look at, or looks at what they change.
 */
public class PassedCalls extends Calls {
    private static final List<Integer> SOME = List.of(1, 2, 3, 4);
    private static final List<Integer> OTHERS = List.of(7, 8);
    /** All numbers that an argument can have, and one more. */
    private static final List<Integer> ALL = List.of(1, 2, 3, 4, 7, 8, 9, 10);

    /** Makes collections of these numbers. */
    private interface Maker {
        Collection<Integer> of(List<Integer> numbers);
    }

    private static final List<Maker> LISTS = List.of(ArrayList::new, LinkedList::new, Vector::new, CopyOnWriteArrayList::new, n -> new ArrayList<>(n).subList(0, n.size()),
        n -> new LinkedList<>(n).subList(0, n.size()), n -> new CopyOnWriteArrayList<>(n).subList(0, n.size()), n -> Collections.synchronizedList(new ArrayList<>(n)),
        n -> Collections.checkedList(new ArrayList<>(n), Integer.class), n -> new Vector<>(n).subList(0, n.size()));
    private static final List<Maker> SETS = List.of(HashSet::new, LinkedHashSet::new, TreeSet::new, n -> mapped(new HashMap<>(), n).keySet(),
        n -> mapped(new TreeMap<>(), n).keySet(), n -> Collections.synchronizedSet(new HashSet<>(n)), n -> mapped(new Hashtable<>(), n).keySet(),
        n -> filled(Collections.newSetFromMap(new HashMap<>()), n), n -> new TreeSet<>(n).descendingSet(), n -> new TreeSet<>(n).headSet(99));
    private static final List<Maker> KEYS = List.of(ConcurrentSkipListSet::new, n -> filled(ConcurrentHashMap.newKeySet(), n),
        n -> mapped(new ConcurrentHashMap<>(), n).keySet(), n -> filled(Collections.newSetFromMap(new ConcurrentHashMap<>()), n),
        n -> new ConcurrentSkipListMap<>(mapped(new TreeMap<>(), n)).navigableKeySet(),
        n -> Collections.synchronizedSet(new ConcurrentSkipListSet<>(n)));
    private static final List<Maker> QUEUES = List.of(ConcurrentLinkedQueue::new, ConcurrentLinkedDeque::new, n -> filled(new ArrayBlockingQueue<>(99), n),
        LinkedBlockingQueue::new, LinkedBlockingDeque::new, LinkedTransferQueue::new, PriorityBlockingQueue::new);
    private static final List<Maker> COLLECTIONS = List.of(ArrayDeque::new, PriorityQueue::new, CopyOnWriteArraySet::new, n -> mapped(new HashMap<>(), n).values(),
        n -> mapped(new IdentityHashMap<>(), n).keySet(), n -> Collections.synchronizedCollection(new ArrayDeque<>(n)));
    /** They can be asked whether they are empty. */
    private static final List<Maker> QUIET = List.of(ArrayList::new, LinkedList::new, ArrayDeque::new, PriorityQueue::new, HashSet::new, LinkedHashSet::new,
        CopyOnWriteArrayList::new, CopyOnWriteArraySet::new, n -> Collections.synchronizedList(new ArrayList<>(n)), n -> Collections.synchronizedCollection(new ArrayDeque<>(n)));

    /** All of them. */
    public PassedCalls() {
        lookups();
        removals();
        additions();
        comparisons();
        maps();
        enums();
        keys();
        elements();
        queues();
        drains();
        statics();
        pairs();
        buffers();
        references();
    }

    private static <C extends Collection<Integer>> C filled(C collection, List<Integer> numbers) {
        for (Integer number : numbers) {
            collection.add(number);
        }
        return collection;
    }

    private static Map<Integer, Integer> mapped(Map<Integer, Integer> map, List<Integer> numbers) {
        for (Integer number : numbers) {
            map.put(number, number);
        }
        return map;
    }

    private static Map<Integer, Integer> part() {
        return new ConcurrentSkipListMap<>(Map.of(1, 1)).subMap(0, 99);
    }

    private static List<Integer> list() {
        return new ArrayList<>(SOME);
    }

    private static Set<Integer> set() {
        return new HashSet<>(SOME);
    }

    private static Set<Integer> skipping() {
        return new ConcurrentSkipListSet<>(SOME);
    }

    private static Collection<Integer> queue() {
        return new ConcurrentLinkedQueue<>(SOME);
    }

    /** A call of a list, or of what is like one, with a list, which another thread changes. */
    private void ofList(Call<Collection<Integer>> call) {
        reads(PassedCalls::list, (a, t) -> a.add(9), call);
    }

    private void ofSet(Call<Collection<Integer>> call) {
        reads(PassedCalls::set, (a, t) -> a.add(9), call);
    }

    private static List<Maker> makers() {
        List<Maker> all = new ArrayList<>(LISTS);
        for (List<Maker> more : List.of(SETS, KEYS, QUEUES, COLLECTIONS)) {
            for (Maker maker : more) {
                all.add(maker);
            }
        }
        return all;
    }

    private void lookups() {
        for (Maker maker : makers()) {
            ofList((a, t) -> maker.of(ALL).containsAll(a));
            ofList((a, t) -> maker.of(OTHERS).containsAll(a));
            ofList((a, t) -> maker.of(ALL).containsAll(Collections.unmodifiableCollection(a)));
        }
        ofSet((a, t) -> new CopyOnWriteArraySet<>(ALL).containsAll(a));
        reads(() -> Collections.synchronizedList(list()), (a, t) -> a.add(9), (a, t) -> new ArrayList<>(ALL).containsAll(a), (a, t) -> new HashSet<>(ALL).removeAll(a),
            (a, t) -> new ArrayList<>(ALL).equals(a));
        reads(() -> new LinkedHashMap<>(Map.of(1, 1)), (a, t) -> a.put(9, 9), (a, t) -> new ArrayList<>(ALL).containsAll(a.keySet()));
        // There is nothing in it: that is what it has seen.
        reads(ArrayList<Integer>::new, (a, t) -> a.add(9), (a, t) -> new ArrayList<>(ALL).containsAll(a));
    }

    private void removals() {
        for (Maker maker : makers()) {
            ofList((a, t) -> maker.of(ALL).removeAll(a));
            ofList((a, t) -> maker.of(ALL).retainAll(a));
        }
        for (Maker maker : QUIET) {
            ofList((a, t) -> maker.of(OTHERS).removeAll(a));
            ofList((a, t) -> maker.of(SOME).retainAll(a));
        }
        for (Maker maker : SETS) {
            ofList((a, t) -> maker.of(List.of()).removeAll(a));
        }
        ofList((a, t) -> new ConcurrentSkipListSet<Integer>().removeAll(a));
        ofList((a, t) -> mapped(new ConcurrentHashMap<>(), ALL).values().removeAll(a));
    }

    private void additions() {
        ofList((a, t) -> Collections.synchronizedList(new ArrayList<>()).addAll(a));
        ofList((a, t) -> Collections.synchronizedList(new ArrayList<>()).addAll(0, a));
        ofList((a, t) -> Collections.synchronizedSet(new HashSet<>()).addAll(a));
        ofList((a, t) -> Collections.checkedList(new ArrayList<>(), Integer.class).addAll(a));
        ofList((a, t) -> ConcurrentHashMap.<Integer>newKeySet().addAll(a));
        ofList((a, t) -> Collections.newSetFromMap(new ConcurrentHashMap<>()).addAll(a));
        ofList((a, t) -> new TreeSet<>(SOME).headSet(99).addAll(a));
        for (Maker maker : LISTS) {
            ofList((a, t) -> maker.of(SOME).addAll(a));
            ofList((a, t) -> ((List<Integer>) maker.of(SOME)).addAll(0, a));
        }
        reads(ArrayList<Integer>::new, (a, t) -> a.add(9), (a, t) -> list().subList(0, 2).addAll(a));
        ofList((a, t) -> new CopyOnWriteArrayList<>(SOME).addAllAbsent(a));
    }

    /** An element that is due at once. */
    private static final class Due implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    private void comparisons() {
        reads(() -> mapped(new HashMap<>(), SOME).entrySet(), (a, t) -> a.remove(Map.entry(1, 1)), (a, t) -> mapped(new ConcurrentHashMap<>(), OTHERS).entrySet().equals(a),
            (a, t) -> mapped(new ConcurrentSkipListMap<>(), OTHERS).entrySet().equals(a));
        for (Maker maker : LISTS) {
            ofList((a, t) -> maker.of(SOME).equals(a));
            ofList((a, t) -> maker.of(OTHERS).equals(a));
            ofList((a, t) -> maker.of(List.of()).equals(a));
        }
        reads(() -> new LinkedList<>(SOME), (a, t) -> a.add(9), (a, t) -> list().equals(a), (a, t) -> new Vector<>(SOME).equals(a));
        for (List<Maker> makers : List.of(SETS, KEYS)) {
            for (Maker maker : makers) {
                ofSet((a, t) -> maker.of(SOME).equals(a));
                ofSet((a, t) -> maker.of(OTHERS).equals(a));
                ofSet((a, t) -> maker.of(List.of()).equals(a));
            }
        }
        ofSet((a, t) -> new CopyOnWriteArraySet<>(SOME).equals(a));
        ofSet((a, t) -> new CopyOnWriteArraySet<>(OTHERS).equals(a));
        reads(() -> BitSet.valueOf(new long[] {1}), (a, t) -> {
            a.set(7);
            return null;
        }, (a, t) -> new BitSet().equals(a));
    }

    private void maps() {
        List<Supplier<Map<Integer, Integer>>> makers = List.of(HashMap::new, LinkedHashMap::new, TreeMap::new, IdentityHashMap::new, WeakHashMap::new, Hashtable::new,
            ConcurrentHashMap::new, ConcurrentSkipListMap::new, () -> Collections.synchronizedMap(new HashMap<>()), () -> new TreeMap<Integer, Integer>().tailMap(0));
        for (Supplier<Map<Integer, Integer>> make : makers) {
            reads(() -> mapped(new HashMap<>(), SOME), (a, t) -> a.put(9, 9), (a, t) -> mapped(make.get(), SOME).equals(a), (a, t) -> mapped(make.get(), OTHERS).equals(a),
                (a, t) -> make.get().equals(a), (a, t) -> {
                    make.get().putAll(a);
                    return null;
                });
        }
        reads(() -> mapped(new HashMap<>(), SOME), (a, t) -> a.put(9, 9), (a, t) -> {
            Collections.checkedMap(new HashMap<>(), Integer.class, Integer.class).putAll(a);
            return null;
        }, (a, t) -> {
            new Properties().putAll(a);
            return null;
        }, (a, t) -> new Properties().equals(a), (a, t) -> part().equals(a), (a, t) -> {
            part().putAll(a);
            return null;
        });
        reads(() -> new IdentityHashMap<>(Map.of(1, 1)), (a, t) -> a.put(9, 9), (a, t) -> new IdentityHashMap<>().equals(a));
        // Of a map that is made for threads, what its size says is certain.
        reads(() -> mapped(new ConcurrentHashMap<>(), SOME), (a, t) -> a.put(9 + t, 9) == null ? a.remove(1) : null, (a, t) -> new HashMap<>().equals(a),
            (a, t) -> new Hashtable<>().equals(a), (a, t) -> new EnumMap<>(TimeUnit.class).equals(a));
    }

    private void enums() {
        Supplier<Set<TimeUnit>> make = () -> EnumSet.of(TimeUnit.DAYS);
        reads(make, (a, t) -> a.add(TimeUnit.HOURS), (a, t) -> EnumSet.allOf(TimeUnit.class).containsAll(a), (a, t) -> EnumSet.noneOf(TimeUnit.class).containsAll(a),
            (a, t) -> EnumSet.allOf(TimeUnit.class).removeAll(a), (a, t) -> EnumSet.noneOf(TimeUnit.class).removeAll(a), (a, t) -> EnumSet.allOf(TimeUnit.class).retainAll(a),
            (a, t) -> EnumSet.of(TimeUnit.DAYS).equals(a), (a, t) -> EnumSet.noneOf(TimeUnit.class).equals(a), (a, t) -> new HashSet<>().equals(a));
        reads(() -> new HashSet<>(List.of(TimeUnit.DAYS)), (a, t) -> a.add(TimeUnit.HOURS), (a, t) -> EnumSet.allOf(TimeUnit.class).removeAll(a),
            (a, t) -> EnumSet.noneOf(TimeUnit.class).equals(a), (a, t) -> EnumSet.of(TimeUnit.DAYS).retainAll(a));
        reads(() -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), (a, t) -> a.put(TimeUnit.HOURS, 1), (a, t) -> new EnumMap<>(TimeUnit.class).equals(a),
            (a, t) -> new HashMap<>().equals(a));
        // One that has more constants than a word has bits.
        reads(() -> EnumSet.of(Character.UnicodeScript.LATIN), (a, t) -> a.add(Character.UnicodeScript.GREEK),
            (a, t) -> EnumSet.allOf(Character.UnicodeScript.class).containsAll(a), (a, t) -> EnumSet.allOf(Character.UnicodeScript.class).removeAll(a),
            (a, t) -> EnumSet.allOf(Character.UnicodeScript.class).retainAll(a), (a, t) -> EnumSet.noneOf(Character.UnicodeScript.class).equals(a),
            (a, t) -> EnumSet.noneOf(Character.UnicodeScript.class).addAll(a));
    }

    /** Sets that are made for threads as arguments: the number of keys, or all of them. */
    private void keys() {
        reads(PassedCalls::skipping, (a, t) -> a.add(9), (a, t) -> new ArrayList<>(ALL).containsAll(a), (a, t) -> new ArrayList<>(OTHERS).containsAll(a),
            (a, t) -> new HashSet<>(OTHERS).removeAll(a), (a, t) -> new HashSet<>(OTHERS).equals(a), (a, t) -> new ConcurrentSkipListSet<>(OTHERS).equals(a),
            (a, t) -> new ConcurrentSkipListSet<>(OTHERS).removeAll(a), (a, t) -> list().subList(0, 2).addAll(a));
        reads(PassedCalls::skipping, (a, t) -> a.remove(4), (a, t) -> new HashSet<>(a.size() == 4 ? SOME : List.of(1, 2, 3)).equals(a));
        reads(() -> filled(ConcurrentHashMap.newKeySet(), SOME), (a, t) -> a.add(9), (a, t) -> Collections.synchronizedSet(new HashSet<>(ALL)).containsAll(a));
    }

    /** Maps and sets that are made for threads, with collections that can change but do not. */
    private void elements() {
        for (Supplier<Map<Integer, Integer>> make : List.<Supplier<Map<Integer, Integer>>>of(ConcurrentHashMap::new, ConcurrentSkipListMap::new)) {
            writes(make, (a, t) -> a.get(8), (a, t) -> {
                a.putAll(new HashMap<>(Map.of(8, t, 9, t)));
                return null;
            }, (a, t) -> {
                a.putAll(new LinkedHashMap<>(Map.of(8, t)));
                return null;
            });
        }
        Supplier<Set<Integer>> hashed = () -> filled(ConcurrentHashMap.newKeySet(), SOME);
        writes(hashed, (a, t) -> a.contains(8) == a.contains(9), (a, t) -> a.addAll(new ArrayList<>(List.of(8 + t))), (a, t) -> a.addAll(Arrays.asList(8 + t)),
            (a, t) -> a.addAll(new HashSet<>(List.of(8 + t))), (a, t) -> a.addAll(new LinkedHashSet<>(List.of(8 + t))),
            (a, t) -> a.addAll(new CopyOnWriteArrayList<>(List.of(8 + t))), (a, t) -> a.addAll(new CopyOnWriteArraySet<>(List.of(8 + t))));
        reads(hashed, (a, t) -> a.remove(1) == a.add(1), (a, t) -> a.containsAll(new ArrayList<>(List.of(1, 2))), (a, t) -> a.addAll(Arrays.asList(1, 2)),
            (a, t) -> a.removeAll(new HashSet<>(List.of(7, 1))));
    }

    /** Queues that are made for threads as arguments. */
    private void queues() {
        reads(PassedCalls::queue, (a, t) -> a.add(9), (a, t) -> new ArrayList<>(ALL).containsAll(a), (a, t) -> new ArrayList<>(ALL).removeAll(a),
            (a, t) -> new LinkedList<>(ALL).retainAll(a), (a, t) -> new HashSet<>(OTHERS).removeAll(a));
        reads(() -> new ConcurrentLinkedQueue<>(SOME), (a, t) -> a.poll(), (a, t) -> new ArrayList<>(OTHERS).containsAll(a));
    }

    private static BlockingQueue<Due> due() {
        return new DelayQueue<>(List.of(new Due()));
    }

    private void drains() {
        writes(ArrayList<Delayed>::new, (a, t) -> a.size(), (a, t) -> due().drainTo(a), (a, t) -> due().drainTo(a, 1));
        List<Maker> into = List.of(ArrayList::new, LinkedList::new, Vector::new, ArrayDeque::new, PriorityQueue::new, CopyOnWriteArrayList::new,
            n -> Collections.synchronizedList(new ArrayList<>()), n -> Collections.checkedList(new ArrayList<>(), Integer.class), n -> list().subList(0, 2));
        List<Supplier<BlockingQueue<Integer>>> queues = List.of(() -> filled(new ArrayBlockingQueue<>(9), SOME), () -> new LinkedBlockingQueue<>(SOME),
            () -> new LinkedBlockingDeque<>(SOME), () -> new LinkedTransferQueue<>(SOME), () -> new PriorityBlockingQueue<>(SOME));
        for (Maker maker : into) {
            writes(() -> maker.of(List.of()), (a, t) -> a.size(), (a, t) -> new LinkedBlockingQueue<>(SOME).drainTo(a), (a, t) -> new LinkedBlockingQueue<>(SOME).drainTo(a, 2));
        }
        for (Supplier<BlockingQueue<Integer>> queue : queues) {
            writes(ArrayList<Integer>::new, (a, t) -> a.size(), (a, t) -> queue.get().drainTo(a), (a, t) -> queue.get().drainTo(a, 2));
            // A set can have had them all.
            reads(HashSet<Integer>::new, (a, t) -> a.add(9), (a, t) -> queue.get().drainTo(a));
        }
    }

    private void statics() {
        writes(PassedCalls::list, (a, t) -> a.size(), (a, t) -> Collections.addAll(a, 7, 8));
        writes(() -> new HashSet<>(SOME), (a, t) -> a.size(), (a, t) -> Collections.addAll(a, 7, 8 + t, 9 + t));
        // Of those that are made for threads it is known that something was added.
        for (Maker maker : List.<Maker>of(ConcurrentSkipListSet::new, n -> filled(ConcurrentHashMap.newKeySet(), n),
            n -> filled(Collections.newSetFromMap(new ConcurrentHashMap<>()), n))) {
            writes(() -> maker.of(SOME), (a, t) -> a.size(), (a, t) -> Collections.addAll(a, 7, 8 + t, 9 + t));
        }
        for (Maker maker : QUEUES) {
            writes(() -> maker.of(SOME), (a, t) -> a.size(), (a, t) -> Collections.addAll(a, 7, 8));
        }
        writes(() -> Collections.synchronizedSet(new HashSet<>(SOME)), (a, t) -> a.size(), (a, t) -> Collections.addAll(a, Arrays.asList(7, 8 + t).toArray(new Integer[0])));
    }

    private static Object copied(List<Integer> to, List<Integer> from) {
        Collections.copy(to, from);
        return null;
    }

    /** Calls of two collections. */
    private void pairs() {
        for (Maker maker : makers()) {
            ofList((a, t) -> Collections.disjoint(a, maker.of(SOME)));
            ofList((a, t) -> Collections.disjoint(maker.of(SOME), a));
            ofSet((a, t) -> Collections.disjoint(a, maker.of(SOME)));
        }
        ofList((a, t) -> Collections.disjoint(a, new HashSet<>(OTHERS)));
        ofList((a, t) -> Collections.disjoint(new HashSet<>(OTHERS), a));
        ofList((a, t) -> Collections.disjoint(new ArrayList<>(), a));
        ofSet((a, t) -> Collections.disjoint(new HashSet<>(OTHERS), a));
        reads(PassedCalls::skipping, (a, t) -> a.add(9), (a, t) -> Collections.disjoint(list(), a) & Collections.disjoint(new HashSet<>(SOME), a));
        reads(PassedCalls::queue, (a, t) -> a.add(9), (a, t) -> Collections.disjoint(a, OTHERS), (a, t) -> Collections.disjoint(a, new HashSet<>(OTHERS)));
        writes(PassedCalls::list, (a, t) -> a.get(0), (a, t) -> copied(a, List.of(t)), (a, t) -> copied(a, new ArrayList<>(List.of(t))),
            (a, t) -> copied(a, Collections.unmodifiableList(new LinkedList<>(List.of(t)))));
        reads(PassedCalls::list, (a, t) -> a.set(0, 9), (a, t) -> copied(a, List.of()), (a, t) -> copied(Arrays.asList(1, 2, 3, 4), a), (a, t) -> copied(new ArrayList<>(SOME), a),
            (a, t) -> copied(a, new Vector<>()));
    }

    /** Buffers of characters, and what else can be written into one, and one that never leaves the method. */
    private void buffers() {
        reads(() -> new StringBuilder("abc"), (b, t) -> b.append('x'), (b, t) -> new StringBuilder().append(b), (b, t) -> new StringBuilder().append(b).length(),
            (b, t) -> new StringBuilder().append((Object) b), (b, t) -> new StringBuilder().append(b, 0, 1), (b, t) -> new StringBuilder().append(b, 0, 1).length(),
            (b, t) -> new StringBuilder().insert(0, b), (b, t) -> new StringBuilder().insert(0, b).length(), (b, t) -> new StringBuilder().insert(0, (Object) b),
            (b, t) -> new StringBuilder().insert(0, b, 0, 1), (b, t) -> new StringBuffer().append(b), (b, t) -> new StringBuffer().insert(0, b), (b, t) -> new StringBuilder(b),
            (b, t) -> new StringBuffer(b), (b, t) -> new String(b));
        reads(() -> new StringBuffer("abc"), (b, t) -> b.append('x'), (b, t) -> new StringBuilder().append(b), (b, t) -> new StringBuilder().append(b).length(),
            (b, t) -> new StringBuffer().append(b), (b, t) -> new StringBuffer().append((Object) b), (b, t) -> new StringBuilder().insert(0, b), (b, t) -> new String(b));
        ofList((a, t) -> new StringBuilder().append(a));
    }

    private void references() {
        List<Function<Collection<Integer>, Object>> all = List.of(ArrayList::new, HashSet::new, List::copyOf, Collections::max);
        for (Function<Collection<Integer>, Object> one : all) {
            ofList((a, t) -> one.apply(a));
        }
    }
}
