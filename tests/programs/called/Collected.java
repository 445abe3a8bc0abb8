package called;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;

import schedule.Sequences;

/**
 * Calls of collections of any kind, and of sets.
 */
final class Collected {
    private Collected() {
    }

    private static <T extends Collection<Object>> T filled(T set, int size) {
        for (int number = 0; number < size; number++) {
            set.add("v" + number);
        }
        return set;
    }

    static Object made(String kind, int size) {
        switch (kind) {
            case "HashSet":
                return filled(new HashSet<>(), size);
            case "LinkedHashSet":
                return filled(new LinkedHashSet<>(), size);
            case "TreeSet":
                return filled(new TreeSet<>(), size);
            case "CopyOnWriteArraySet":
                return filled(new CopyOnWriteArraySet<>(), size);
            case "SynchronizedSet":
                return filled(Collections.synchronizedSet(new HashSet<>()), size);
            case "ConcurrentSkipListSet":
                return filled(new ConcurrentSkipListSet<>(), size);
            case "KeySetView":
                return filled(ConcurrentHashMap.newKeySet(), size);
            case "SetFromMap":
                return filled(Collections.newSetFromMap(new ConcurrentHashMap<>()), size);
            default:
                return null;
        }
    }

    static Object call(Collection<Object> on, String method, int a, int b, int thread, int number) {
        String value = "v" + a;
        switch (method) {
            case "add":
                return on.add(value);
            case "remove":
                return on.remove(value);
            case "contains":
                return on.contains(value);
            case "size":
                return on.size();
            case "isEmpty":
                return on.isEmpty();
            case "clear":
                on.clear();
                return "x";
            case "toArray":
                return on.toArray();
            case "forEach":
                on.forEach(each -> { });
                return "x";
            case "hashCode":
                return on.hashCode();
            default:
                return many(on, method, a, b, thread, number);
        }
    }

    private static Object many(Collection<Object> on, String method, int a, int b, int thread, int number) {
        String value = "v" + a;
        List<Object> both = List.of(value, "v" + b + "'");
        switch (method) {
            case "removeIf":
                return on.removeIf(each -> each.equals(value));
            case "addAll":
                return on.addAll(List.of(value));
            case "addAllOfTwo":
                return on.addAll(both);
            case "addAllOfArray":
                return Collections.addAll(on, value);
            case "removeAll":
                return on.removeAll(List.of(value));
            case "retainAll":
                return on.retainAll(both);
            case "containsAll":
                return on.containsAll(List.of(value));
            case "count":
                return on.stream().filter(each -> each != value).count();
            case "anyMatch":
                return on.stream().anyMatch(each -> each.equals(value));
            case "iterator":
                return Sequences.keep(thread, number, on.iterator());
            default:
                return step(method, thread, number);
        }
    }

    /** A step of the iterator that a thread keeps. */
    static Object step(String method, int thread, int number) {
        Object kept = Sequences.kept(thread, number);
        if (!(kept instanceof Iterator)) {
            return "skipped";
        }
        Iterator<?> iterator = (Iterator<?>) kept;
        switch (method) {
            case "next":
                return iterator.next();
            case "hasNext":
                return iterator.hasNext();
            default:
                iterator.remove();
                return "x";
        }
    }

    static Object sorted(NavigableSet<Object> on, String method, int a) {
        String value = "v" + a;
        switch (method) {
            case "first":
                return on.first();
            case "last":
                return on.last();
            case "floor":
                return on.floor(value);
            case "higher":
                return on.higher(value);
            case "pollFirst":
                return on.pollFirst();
            case "pollLast":
                return on.pollLast();
            case "containsOfHeadSet":
                return on.headSet("v2").contains(value);
            default:
                return on.descendingSet().remove(value);
        }
    }
}
