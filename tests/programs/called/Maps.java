package called;

import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

import schedule.Sequences;

/**
 * Calls of maps. Keys are literals, so that a map that compares by identity has the same.
 */
final class Maps {
    private Maps() {
    }

    private static String key(int number) {
        switch (number) {
            case 0:
                return "v0";
            case 1:
                return "v1";
            case 2:
                return "v2";
            default:
                return "v3";
        }
    }

    private static Map<Object, Object> filled(Map<Object, Object> map, int size) {
        for (int number = 0; number < size; number++) {
            map.put(key(number), "w0");
        }
        return map;
    }

    static Object made(String kind, int size) {
        switch (kind) {
            case "HashMap":
                return filled(new HashMap<>(), size);
            case "LinkedHashMap":
                return filled(new LinkedHashMap<>(), size);
            case "OrderedByAccess":
                return filled(new LinkedHashMap<>(16, 0.75f, true), size);
            case "SynchronizedCache":
                return filled(Collections.synchronizedMap(new LinkedHashMap<Object, Object>(16, 0.75f, true) { }), size);
            case "TreeMap":
                return filled(new TreeMap<>(), size);
            case "IdentityHashMap":
                return filled(new IdentityHashMap<>(), size);
            case "Hashtable":
                return filled(new Hashtable<>(), size);
            case "SynchronizedMap":
                return filled(Collections.synchronizedMap(new HashMap<>()), size);
            case "ConcurrentHashMap":
                return filled(new ConcurrentHashMap<>(), size);
            case "ConcurrentSkipListMap":
                return filled(new ConcurrentSkipListMap<>(), size);
            default:
                return null;
        }
    }

    static Object call(Map<Object, Object> on, String method, int a, int b) {
        String key = key(a);
        String value = "w" + b;
        switch (method) {
            case "get":
                return on.get(key);
            case "getOrDefault":
                return on.getOrDefault(key, "none");
            case "containsKey":
                return on.containsKey(key);
            case "put":
                return on.put(key, value);
            case "remove":
                return on.remove(key);
            case "putIfAbsent":
                return on.putIfAbsent(key, value);
            case "removeOf":
                return on.remove(key, "w0");
            case "replace":
                return on.replace(key, value);
            case "replaceOf":
                return on.replace(key, "w0", value);
            case "size":
                return on.size();
            case "isEmpty":
                return on.isEmpty();
            case "clear":
                on.clear();
                return "x";
            default:
                return compute(on, method, key, value);
        }
    }

    private static Object compute(Map<Object, Object> on, String method, String key, String value) {
        switch (method) {
            case "computeIfAbsent":
                return on.computeIfAbsent(key, absent -> value);
            case "computeIfPresent":
                return on.computeIfPresent(key, (present, old) -> value);
            case "compute":
                return on.compute(key, (any, old) -> value);
            case "merge":
                return on.merge(key, value, (old, more) -> more);
            case "putAll":
                on.putAll(Map.of(key, value));
                return "x";
            case "containsValue":
                return on.containsValue("w0");
            case "forEach":
                on.forEach((each, old) -> { });
                return "x";
            case "hashCode":
                return on.hashCode() == 0 ? "x" : "x";
            default:
                on.replaceAll((each, old) -> old);
                return "x";
        }
    }

    static Object view(Map<Object, Object> on, String method, int a, int b, int thread, int number) {
        String key = key(a);
        switch (method) {
            case "containsOfKeys":
                return on.keySet().contains(key);
            case "removeOfKeys":
                return on.keySet().remove(key);
            case "sizeOfValues":
                return on.values().size();
            case "isEmptyOfEntries":
                return on.entrySet().isEmpty();
            case "clearOfKeys":
                on.keySet().clear();
                return "x";
            case "toArrayOfValues":
                return on.values().toArray();
            case "iteratorOfKeys":
                return Sequences.keep(thread, number, on.keySet().iterator());
            case "iteratorOfEntries":
                return Sequences.keep(thread, number, on.entrySet().iterator());
            case "countOfEntries":
                return on.entrySet().stream().filter(each -> each != null).count();
            default:
                return Collected.step(method, thread, number);
        }
    }

    /** Calls of entries. Those that are not in the map any more have nothing to do with it. */
    @SuppressWarnings("unchecked")
    static Object entry(Map<Object, Object> on, String method, int a, int b, int thread, int number) {
        String value = "w" + b;
        switch (method) {
            case "setAll":
                boolean isEmpty = Sequences.entries(on) == 0;
                on.entrySet().forEach(each -> each.setValue(value));
                return isEmpty ? "x" : Sequences.marked("x");
            case "keep":
                Object found = null;
                for (Map.Entry<Object, Object> each : on.entrySet()) {
                    found = each.getKey() == key(a) ? each : found;
                }
                String kept = Sequences.keep(thread, number, found);
                return Sequences.entries(on) == 0 ? kept : Sequences.marked(kept);
            default:
                Object known = Sequences.kept(thread, number);
                if (!(known instanceof Map.Entry)) {
                    return "skipped";
                }
                boolean isIn = Sequences.has(on, known);
                Map.Entry<Object, Object> entry = (Map.Entry<Object, Object>) known;
                Object result = method.equals("get") ? entry.getValue() : entry.setValue(value);
                return isIn ? Sequences.marked(result) : result;
        }
    }

    static Object sorted(NavigableMap<Object, Object> on, String method, int a) {
        String key = key(a);
        switch (method) {
            case "firstKey":
                return on.firstKey();
            case "lastEntry":
                return on.lastEntry();
            case "ceilingKey":
                return on.ceilingKey(key);
            case "lowerEntry":
                return on.lowerEntry(key);
            case "pollFirstEntry":
                return on.pollFirstEntry();
            case "getOfTailMap":
                return on.tailMap("v0").get(key);
            default:
                return on.descendingMap().containsKey(key);
        }
    }
}
