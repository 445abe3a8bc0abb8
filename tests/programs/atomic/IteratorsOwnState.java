package atomic;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import schedule.Steps;

/**
 * Iterators that go on when the collection has been changed, and do not look at it again: those of snapshots, and those that knew
 * before the change that there is nothing more.
 */
public class IteratorsOwnState {
    private final List<String> list = new CopyOnWriteArrayList<>(List.of("a", "b"));
    private final Collection<String> set = new CopyOnWriteArraySet<>(List.of("a", "b"));
    private final Map<String, String> hashMap = new HashMap<>(Map.of("a", "b"));
    private final Map<String, String> linkedHashMap = new LinkedHashMap<>(Map.of("a", "b"));
    private final TreeMap<String, String> treeMap = new TreeMap<>(Map.of("a", "b"));
    private final Map<String, String> synchronizedMap = Collections.synchronizedMap(new HashMap<>(Map.of("a", "b")));
    private final Collection<String> hashSet = new HashSet<>(List.of("a"));
    private final Collection<String> linkedHashSet = new LinkedHashSet<>(List.of("a"));
    private final TreeSet<String> treeSet = new TreeSet<>(List.of("a"));
    private final ArrayDeque<String> deque = new ArrayDeque<>(List.of("a"));

    String inList() {
        Iterator<String> each = list.iterator();
        String seen = each.next();
        Steps.done(1);
        Steps.await(2);
        return each.hasNext() ? seen + each.next() : seen;
    }

    String backwards() {
        ListIterator<String> each = list.listIterator(2);
        String seen = each.previous();
        Steps.done(3);
        Steps.await(4);
        return each.hasPrevious() ? seen + each.previous() : seen;
    }

    String inSet() {
        Iterator<String> each = set.iterator();
        String seen = each.next();
        Steps.done(5);
        Steps.await(6);
        return each.hasNext() ? seen + each.next() : seen;
    }

    /** Reads the only element, and asks whether there is another one after another thread has added it. */
    private boolean isLast(Iterator<?> each, int step) {
        each.next();
        Steps.done(step);
        Steps.await(step + 1);
        return each.hasNext();
    }

    boolean inHashMap() {
        return isLast(hashMap.keySet().iterator(), 7);
    }

    boolean inLinkedHashMap() {
        return isLast(linkedHashMap.values().iterator(), 9);
    }

    boolean inTreeMap() {
        return isLast(treeMap.entrySet().iterator(), 11);
    }

    boolean downTreeMap() {
        return isLast(treeMap.descendingMap().keySet().iterator(), 13);
    }

    boolean inSynchronizedMap() {
        return isLast(synchronizedMap.keySet().iterator(), 15);
    }

    boolean inHashSet() {
        return isLast(hashSet.iterator(), 17);
    }

    boolean inLinkedHashSet() {
        return isLast(linkedHashSet.iterator(), 19);
    }

    boolean inTreeSet() {
        return isLast(treeSet.iterator(), 21);
    }

    boolean downTreeSet() {
        return isLast(treeSet.descendingIterator(), 23);
    }

    boolean inDeque() {
        return isLast(deque.iterator(), 25);
    }

    boolean downDeque() {
        return isLast(deque.descendingIterator(), 27);
    }

    public static void main(String[] args) throws InterruptedException {
        IteratorsOwnState p = new IteratorsOwnState();
        StringBuilder seen = new StringBuilder();
        Steps.run(() -> {
            seen.append(p.inList()).append(p.backwards()).append(p.inSet());
            seen.append(p.inHashMap()).append(p.inLinkedHashMap()).append(p.inTreeMap()).append(p.downTreeMap()).append(p.inSynchronizedMap());
            seen.append(p.inHashSet()).append(p.inLinkedHashSet()).append(p.inTreeSet()).append(p.downTreeSet());
            seen.append(p.inDeque()).append(p.downDeque());
        }, () -> {
            Runnable[] changes = {
                () -> p.list.add("c"), () -> p.list.add(0, "d"), () -> p.set.add("c"),
                () -> p.hashMap.put("c", "d"), () -> p.linkedHashMap.put("c", "d"), () -> p.treeMap.put("c", "d"),
                () -> p.treeMap.put("0", "d"), () -> p.synchronizedMap.put("c", "d"),
                () -> p.hashSet.add("c"), () -> p.linkedHashSet.add("c"), () -> p.treeSet.add("c"), () -> p.treeSet.add("0"),
                () -> p.deque.add("c"), () -> p.deque.addFirst("0"),
            };
            for (int i = 0; i < changes.length; i++) {
                Steps.await(2 * i + 1);
                changes[i].run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println(seen);
    }
}
