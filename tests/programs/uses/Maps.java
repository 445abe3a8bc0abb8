package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Maps that are one variable, and their views.
 */
class Maps {
    private final Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
    private final NavigableMap<Integer, String> sorted = new TreeMap<>(Map.of(1, "a", 3, "c", 5, "e"));
    private final Properties properties = new Properties();
    private final Hashtable<String, Integer> table = new Hashtable<>(Map.of("a", 1));

    int getThenPutAroundPutOfAnotherKeyIsViolated() {
        int value = map.get("a");
        second(() -> map.put("b", 3));
        return map.put("a", value + 1);
    }

    int getThenPutAroundGetOfAnotherKeyIsAtomic() {
        int value = map.get("a");
        second(() -> map.get("b"));
        return map.put("a", value + 1);
    }

    int putIfAbsentOfPresentThenGetAroundPutIfAbsentOfPresentIsAtomic() {
        int value = map.putIfAbsent("a", 7);
        second(() -> map.putIfAbsent("b", 7));
        return value + map.get("a");
    }

    int putIfAbsentOfPresentThenGetAroundPutIfAbsentOfNewIsViolated() {
        int value = map.putIfAbsent("a", 7);
        second(() -> map.putIfAbsent("c", 7));
        return value + map.get("a");
    }

    int mergeTwiceAroundGetIsViolated() {
        int value = map.merge("a", 1, Integer::sum);
        second(() -> map.get("a"));
        return value + map.merge("b", 1, Integer::sum);
    }

    boolean replaceThatFailsTwiceAroundContainsIsAtomic() {
        boolean done = map.replace("a", 9, 10);
        second(() -> map.containsKey("a"));
        return done || map.replace("b", 9, 10);
    }

    boolean keysThenGetAroundRemoveIsViolated() {
        boolean has = map.keySet().contains("a");
        second(() -> map.remove("a"));
        return has && map.get("a") == null;
    }

    boolean valuesThenEntriesAroundRemoveOfNoneIsAtomic() {
        boolean has = map.values().contains(1);
        second(() -> map.keySet().remove("none"));
        return has && map.entrySet().isEmpty();
    }

    boolean entriesThenKeysAroundRemoveIfOfValuesIsViolated() {
        int size = map.entrySet().size();
        second(() -> map.values().removeIf(v -> v == 1));
        return size == map.keySet().size();
    }

    int unmodifiableKeysThenSizeAroundPutIsViolated() {
        Collection<String> keys = Collections.unmodifiableMap(map).keySet();
        int size = keys.size();
        second(() -> map.put("c", 3));
        return size + map.size();
    }

    int keysOfOneMapThenOfAnotherIsAtomic() {
        int size = map.size();
        second(() -> table.put("c", 3));
        return size + map.keySet().size();
    }

    int headThenTailAroundPutIsViolated() {
        int key = sorted.headMap(4).lastKey();
        second(() -> sorted.put(4, "d"));
        return key + sorted.tailMap(3).firstKey();
    }

    int headOfDescendingTailThenGetAroundFloorIsAtomic() {
        int key = sorted.tailMap(2, true).descendingMap().headMap(2, false).firstKey();
        second(() -> sorted.floorKey(4));
        return key + sorted.get(1).length();
    }

    String headOfDescendingTailThenGetAroundPollIsViolated() {
        int key = sorted.tailMap(2, true).descendingMap().headMap(2, false).firstKey();
        second(() -> sorted.pollFirstEntry());
        return key + sorted.get(3);
    }

    String putIntoPartThenIntoAnotherAroundGetIsViolated() {
        sorted.headMap(3).put(2, "b");
        second(() -> sorted.get(5));
        return sorted.tailMap(4).put(6, "f");
    }

    int removeFromDescendingKeysThenFirstAroundLastIsAtomic() {
        sorted.descendingKeySet().remove(3);
        second(() -> sorted.lastEntry());
        return sorted.navigableKeySet().first();
    }

    int pollOfEmptyTwiceAroundIsEmptyIsAtomic() {
        NavigableMap<Integer, String> empty = new TreeMap<>();
        Object first = empty.pollFirstEntry();
        second(() -> empty.isEmpty());
        return first == null && empty.pollLastEntry() == null ? 1 : 0;
    }

    int insertionOrderTwiceAroundReplaceAllIsViolated() {
        Map<String, Integer> linked = new LinkedHashMap<>(Map.of("a", 1));
        int first = linked.getOrDefault("a", 0);
        second(() -> linked.replaceAll((k, v) -> v + 1));
        return first + linked.getOrDefault("a", 0);
    }

    int unitsTwiceAroundPutIsViolated() {
        Map<TimeUnit, Integer> units = new EnumMap<>(Map.of(TimeUnit.DAYS, 1));
        int first = units.get(TimeUnit.DAYS);
        second(() -> units.put(TimeUnit.HOURS, 2));
        return first + new EnumMap<>(units).size();
    }

    boolean identitiesTwiceAroundRemoveThatFailsIsAtomic() {
        Map<String, Integer> identities = new IdentityHashMap<>(map);
        boolean has = identities.containsValue(1);
        second(() -> identities.remove("none"));
        return has && identities.containsValue(2);
    }

    int weakKeysTwiceAroundClearIsViolated() {
        Map<String, Integer> weak = new WeakHashMap<>(map);
        int size = weak.size();
        second(() -> weak.clear());
        return size + weak.size();
    }

    String propertyTwiceAroundSetIsViolated() {
        properties.setProperty("k", "v");
        second(() -> properties.getProperty("k"));
        properties.setProperty("k", "w");
        return "k";
    }

    int propertyThenNamesAroundNamesIsAtomic() {
        properties.setProperty("k", "v");
        second(() -> properties.stringPropertyNames());
        return properties.stringPropertyNames().size();
    }

    boolean elementsOfTableThenPutAroundPutIsViolated() {
        int first = table.elements().nextElement();
        second(() -> table.put("b", 2));
        return table.keys().hasMoreElements() && table.contains(first);
    }

    int synchronizedMapTwiceAroundPutIsViolated() {
        Map<String, Integer> wrapper = Collections.synchronizedMap(map);
        boolean has = wrapper.containsKey("c");
        second(() -> wrapper.put("d", 4));
        return has ? 0 : wrapper.size();
    }

    int putAllTwiceAroundPutIntoItsArgumentIsViolated() {
        table.putAll(map);
        second(() -> map.put("c", 3));
        table.putAll(map);
        return 1;
    }

    int copiesAroundReadsOfTwoThreadsIsAtomic() {
        int size = Map.copyOf(map).size();
        second(() -> new TreeMap<>(map));
        third(() -> new ArrayList<>(map.values()));
        return size + new HashMap<>(map).size();
    }

    int copiesAroundPutOfThirdIsViolated() {
        int size = Map.copyOf(map).size();
        second(() -> new TreeMap<>(map));
        third(() -> map.put("c", 3));
        return size + List.copyOf(map.keySet()).size();
    }

    int mapThenListAroundListThenMapIsAtomic() {
        List<String> list = new ArrayList<>(List.of("a"));
        map.put("c", 3);
        second(() -> {
            list.add("b");
            map.get("c");
        });
        return list.size();
    }

    int mapThenListAroundMapThenListIsViolated() {
        List<String> list = new ArrayList<>(List.of("a"));
        map.put("c", 3);
        second(() -> {
            if (map.get("c") == 3) {
                list.add("b");
            }
        });
        return list.size();
    }

    int equalsWithSharedThenSizeAroundPutIsViolated() {
        boolean same = new HashMap<>(Map.of("a", 1)).equals(map);
        second(() -> map.put("c", 3));
        return same ? 0 : map.size();
    }

    int equalsOfSetWithSharedThenSizeAroundPutIsAtomic() {
        boolean same = new ArrayList<>(List.of("a")).equals(map);
        second(() -> map.put("c", 3));
        return same ? 0 : map.size();
    }

    int putAllIntoAWrapperThenSizeAroundPutIsViolated() {
        Map<String, Integer> locked = Collections.synchronizedMap(new HashMap<>());
        locked.putAll(map);
        second(() -> map.put("c", 3));
        return map.size();
    }

    int putAllIntoAPartThenSizeAroundPutIsViolated() {
        new TreeMap<String, Integer>().headMap("z").putAll(map);
        second(() -> map.put("c", 3));
        return map.size();
    }

    int retainAllOfKeysThenSizeAroundPutIsViolated() {
        boolean any = new ArrayList<>(List.of("a", "x")).retainAll(map.keySet());
        second(() -> map.put("c", 3));
        return any ? map.size() : 0;
    }

    int retainAllOfKeysInNothingThenSizeAroundPutIsAtomic() {
        boolean any = new ArrayList<String>().retainAll(map.keySet());
        second(() -> map.put("c", 3));
        return any ? 0 : map.size();
    }
}
