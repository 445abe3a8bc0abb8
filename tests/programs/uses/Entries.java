package uses;

import static schedule.Threads.second;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Entries of maps that are one variable: their values are read and changed in the map.
 */
class Entries {
    private final Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
    private final Map<String, Integer> linked = new LinkedHashMap<>(map);
    private final NavigableMap<String, Integer> sorted = new TreeMap<>(map);
    private final Map<String, Integer> table = new Hashtable<>(map);
    private final Map<String, Integer> weak = new WeakHashMap<>(map);
    private final Map<String, Integer> identity = new IdentityHashMap<>(Map.of("a", 1));
    private final Map<TimeUnit, Integer> enums = new EnumMap<>(Map.of(TimeUnit.DAYS, 1));
    private final Map<String, Integer> locked = Collections.synchronizedMap(new HashMap<>(map));
    private final Map<String, Integer> crowded = crowded();
    private final List<Map<String, Integer>> inners = List.of(new HashMap<>(map), new HashMap<>(map), new TreeMap<>(map), new TreeMap<>(map), new Hashtable<>(map));
    /** Got before the methods begin. */
    private final Map.Entry<String, Integer> entry = map.entrySet().iterator().next();
    private final List<Map.Entry<String, Integer>> gone = gone(new HashMap<>(map), linked, sorted, table);

    /** All of its keys are at one place of its table, which becomes a tree. */
    private static Map<String, Integer> crowded() {
        Map<String, Integer> map = new HashMap<>();
        for (int i = 0; i < 1 << 10; i++) {
            StringBuilder key = new StringBuilder();
            for (int bit = 0; bit < 10; bit++) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            map.put(key.toString(), i);
        }
        return map;
    }

    /** Entries that are no longer in their maps. */
    @SafeVarargs
    private static List<Map.Entry<String, Integer>> gone(Map<String, Integer>... maps) {
        List<Map.Entry<String, Integer>> gone = new ArrayList<>();
        for (Map<String, Integer> map : maps) {
            map.put("gone", 3);
            map.entrySet().stream().filter(entry -> entry.getKey().equals("gone")).forEach(gone::add);
            map.remove("gone");
        }
        return gone;
    }

    private static Map.Entry<String, Integer> first(Map<String, Integer> map) {
        return map.entrySet().iterator().next();
    }

    Integer setInLoopAroundGetIsViolated() {
        Integer last = null;
        for (Map.Entry<String, Integer> each : map.entrySet()) {
            last = each.setValue(5);
            second(() -> map.get("a"));
        }
        return last;
    }

    Integer setTwiceAroundGetIsViolated() {
        first(map).setValue(5);
        second(() -> map.get("a"));
        return first(map).setValue(6);
    }

    Integer setTwiceOfLinkedAroundGetIsViolated() {
        first(linked).setValue(5);
        second(() -> linked.get("a"));
        return first(linked).setValue(6);
    }

    Integer setTwiceOfSortedAroundGetIsViolated() {
        first(sorted).setValue(5);
        second(() -> sorted.get("a"));
        return first(sorted).setValue(6);
    }

    Integer setTwiceOfPartAroundGetOfMapIsViolated() {
        first(sorted.tailMap("a")).setValue(5);
        second(() -> sorted.get("b"));
        return first(sorted.tailMap("a")).setValue(6);
    }

    Integer setTwiceOfDescendingAroundGetOfMapIsViolated() {
        first(sorted.descendingMap()).setValue(5);
        second(() -> sorted.get("a"));
        return first(sorted.descendingMap()).setValue(6);
    }

    Integer setTwiceOfTableAroundGetIsViolated() {
        first(table).setValue(5);
        second(() -> table.get("a"));
        return first(table).setValue(6);
    }

    Integer setTwiceOfWeakAroundGetIsViolated() {
        first(weak).setValue(5);
        second(() -> weak.get("a"));
        return first(weak).setValue(6);
    }

    Integer setTwiceOfIdentityAroundGetIsViolated() {
        first(identity).setValue(5);
        second(() -> identity.get("a"));
        return first(identity).setValue(6);
    }

    Integer setTwiceOfLockedAroundGetIsViolated() {
        first(locked).setValue(5);
        second(() -> locked.get("a"));
        return first(locked).setValue(6);
    }

    Integer setTwiceOfTreesAroundGetIsViolated() {
        first(crowded).setValue(5);
        second(() -> crowded.get("a"));
        return first(crowded).setValue(6);
    }

    Integer setTwiceOfEnumsAroundGetIsViolated() {
        Map.Entry<TimeUnit, Integer> entry = enums.entrySet().iterator().next();
        entry.setValue(5);
        second(() -> enums.get(TimeUnit.DAYS));
        return entry.setValue(6);
    }

    Integer setTwiceAroundGetOfAnotherMapIsAtomic() {
        first(map).setValue(5);
        second(() -> linked.get("a"));
        return first(map).setValue(6);
    }

    void setByLambdaTwiceAroundGetIsViolated() {
        map.entrySet().forEach(each -> each.setValue(5));
        second(() -> map.get("a"));
        map.entrySet().forEach(each -> each.setValue(6));
    }

    void setByStreamTwiceAroundGetIsViolated() {
        map.entrySet().stream().filter(each -> each.getKey().equals("a")).forEach(each -> each.setValue(5));
        second(() -> map.get("a"));
        map.entrySet().stream().filter(each -> each.getKey().equals("a")).forEach(each -> each.setValue(6));
    }

    Integer setTwiceOfEarlierEntryAroundGetIsViolated() {
        entry.setValue(5);
        second(() -> map.get("a"));
        return entry.setValue(6);
    }

    Integer getThenSetOfEarlierEntryAroundPutIsViolated() {
        int value = entry.getValue();
        second(() -> map.put("a", 7));
        return entry.setValue(value + 1);
    }

    int getTwiceOfEarlierEntryAroundPutIsViolated() {
        int value = entry.getValue();
        second(() -> map.put("a", 7));
        return value + entry.getValue();
    }

    int getTwiceOfEarlierEntryAroundGetIsAtomic() {
        int value = entry.getValue();
        second(() -> map.get("a"));
        return value + entry.getValue();
    }

    String getKeyTwiceAroundPutIsAtomic() {
        String key = entry.getKey();
        second(() -> map.put("a", 7));
        return key + entry.getKey();
    }

    Integer setOfEarlierEntryAroundSetOfIteratedIsViolated() {
        entry.setValue(5);
        second(() -> map.entrySet().iterator().next().setValue(6));
        return entry.setValue(7);
    }

    int setThenSizeAroundPutOfNewIsViolated() {
        entry.setValue(5);
        second(() -> map.put("c", 7));
        return map.size();
    }

    void setOfRemovedEntriesTwiceAroundGetIsAtomic() {
        gone.forEach(each -> each.setValue(5));
        second(() -> {
            linked.get("a");
            sorted.get("a");
            table.get("a");
        });
        gone.forEach(each -> each.setValue(6));
    }

    int setOfNextAndRemovedThenSizeAroundGetIsAtomic() {
        Iterator<Map.Entry<String, Integer>> entries = linked.entrySet().iterator();
        Map.Entry<String, Integer> removed = entries.next();
        entries.remove();
        int size = removed.setValue(5);
        second(() -> map.get("a"));
        removed.setValue(6);
        return size;
    }

    Integer setOfOuterEntryAroundInnerMapsIsViolated() {
        Integer last = null;
        for (Map.Entry<String, Integer> outer : map.entrySet()) {
            for (int i = 0; i < 5; i++) {
                for (Map.Entry<String, Integer> inner : inners.get(i).entrySet()) {
                    inner.setValue(outer.getValue());
                }
            }
            outer.setValue(5);
            second(() -> map.get("a"));
            last = outer.setValue(6);
        }
        return last;
    }

    Integer setTwiceOfOwnEntryAroundGetIsAtomic() {
        Map.Entry<String, Integer> own = new AbstractMap.SimpleEntry<>("a", 1);
        own.setValue(5);
        second(() -> map.get("a"));
        return own.setValue(6);
    }

    Integer setTwiceOfFirstEntryOfCopyAroundGetIsAtomic() {
        Map<String, Integer> copy = new TreeMap<>(sorted);
        Map.Entry<String, Integer> first = copy.entrySet().iterator().next();
        first.setValue(5);
        second(() -> sorted.get("a"));
        return first.setValue(6);
    }

    Integer firstEntryTwiceAroundSetOfEntryIsViolated() {
        Integer value = sorted.firstEntry().getValue();
        second(() -> sorted.entrySet().iterator().next().setValue(6));
        return value + sorted.firstEntry().getValue();
    }
}
