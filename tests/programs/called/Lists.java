package called;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;

import schedule.Sequences;

/**
 * Calls of lists.
 */
final class Lists {
    private Lists() {
    }

    private static List<Object> some(int size) {
        return Arrays.<Object>asList("v0", "v1", "v2").subList(0, size);
    }

    static Object made(String kind, int size) {
        switch (kind) {
            case "ArrayList":
                return new ArrayList<>(some(size));
            case "LinkedList":
                return new LinkedList<>(some(size));
            case "Vector":
                return new Vector<>(some(size));
            case "CopyOnWriteArrayList":
                return new CopyOnWriteArrayList<>(some(size));
            case "SynchronizedList":
                return Collections.synchronizedList(new ArrayList<>(some(size)));
            case "SubList":
                return new ArrayList<>(some(size)).subList(0, size);
            default:
                return null;
        }
    }

    static Object call(List<Object> on, String method, int a, int b, int thread, int number) {
        String value = "v" + b;
        switch (method) {
            case "addAt":
                on.add(0, value);
                return "x";
            case "get":
                return on.get(a);
            case "set":
                return on.set(a, value);
            case "removeAt":
                return on.remove(a);
            case "indexOf":
                return on.indexOf(value);
            case "lastIndexOf":
                return on.lastIndexOf(value);
            case "sort":
                on.sort(null);
                return "x";
            case "replaceAll":
                on.replaceAll(old -> old);
                return "x";
            case "getOfSubList":
                return on.subList(0, 1).get(0);
            case "clearSubList":
                on.subList(0, 1).clear();
                return "x";
            default:
                return iterator(on, method, value, thread, number);
        }
    }

    @SuppressWarnings("unchecked")
    private static Object iterator(List<Object> on, String method, String value, int thread, int number) {
        if (method.equals("listIterator")) {
            return Sequences.keep(thread, number, on.listIterator());
        }
        Object kept = Sequences.kept(thread, number);
        if (!(kept instanceof ListIterator)) {
            return "skipped";
        }
        ListIterator<Object> iterator = (ListIterator<Object>) kept;
        switch (method) {
            case "nextOfList":
                return iterator.next();
            case "previousOfList":
                return iterator.previous();
            case "setOfList":
                iterator.set(value);
                return "x";
            default:
                iterator.add(value);
                return "x";
        }
    }
}
