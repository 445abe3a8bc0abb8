package uses;

import static schedule.Threads.newcomer;
import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import schedule.Threads.Step;

/**
 * Maps that are made for threads: keys, and what the size sees.
 */
class KeyedMaps {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2));
    private final ConcurrentNavigableMap<Integer, String> sorted = new ConcurrentSkipListMap<>(Map.of(1, "a", 3, "c", 5, "e"));
    private final ConcurrentHashMap<Object, Integer> numbers = new ConcurrentHashMap<>();

    int getThenPutAroundPutIsViolated() {
        int value = map.get("a");
        second(() -> map.put("a", 5));
        return map.put("a", value + 1);
    }

    int getThenPutAroundPutOfAnotherKeyIsAtomic() {
        int value = map.get("a");
        second(() -> map.put("b", 5));
        return map.put("a", value + 1);
    }

    int containsThenSizeAroundPutOfAnotherKeyIsAtomic() {
        boolean has = map.containsKey("c");
        second(() -> map.put("d", 4));
        return has ? 0 : map.size();
    }

    int containsThenSizeAroundPutOfItIsViolated() {
        boolean has = map.containsKey("c");
        second(() -> map.put("c", 4));
        return has ? 0 : map.size();
    }

    int sizeThenGetAroundPutOfNewKeyIsViolated() {
        int size = map.size();
        second(() -> map.put("c", 3));
        return size + map.get("c");
    }

    int sizeThenGetAroundPutOfPresentKeyIsAtomic() {
        int size = map.size();
        second(() -> map.put("b", 3));
        return size + map.get("b");
    }

    int sizeTwiceAroundReplaceIsAtomic() {
        int size = map.size();
        second(() -> map.replace("b", 3));
        return size - map.size();
    }

    int sizeTwiceAroundRemoveAndPutIsViolated() {
        int size = map.size();
        second(() -> {
            map.remove("a");
            map.put("a", 1);
        });
        return size - map.size();
    }

    boolean isEmptyThenPutAroundPutOfAnotherKeyIsAtomic() {
        boolean isEmpty = map.isEmpty();
        second(() -> map.put("d", 4));
        return !isEmpty && map.put("c", 3) == null;
    }

    boolean putTwiceAroundSizeIsViolated() {
        Object before = map.put("c", 3);
        second(() -> map.size());
        return before == map.put("d", 4);
    }

    boolean putOfNewThenOfPresentAroundSizeIsAtomic() {
        Object before = map.put("c", 3);
        second(() -> map.size());
        return before == map.put("c", 4);
    }

    boolean putsOfNewKeysByThreeThreadsIsAtomic() {
        Object before = map.put("c", 3);
        second(() -> map.put("d", 4));
        third(() -> map.put("e", 5));
        return before == map.put("f", 6);
    }

    int mappingCountTwiceAroundClearIsViolated() {
        long count = map.mappingCount();
        second(() -> map.clear());
        return (int) (count - map.mappingCount());
    }

    boolean removeThatFailsTwiceAroundGetIsAtomic() {
        Object first = map.remove("none");
        second(() -> map.get("none"));
        return first == map.remove("none");
    }

    boolean removeThatFailsThenRemoveAroundPutIsViolated() {
        Object first = map.remove("c");
        second(() -> map.put("c", 3));
        return first == map.remove("c");
    }

    boolean replaceThatFailsTwiceAroundRemoveThatFailsIsAtomic() {
        boolean first = map.replace("a", 7, 8);
        second(() -> map.remove("a", 9));
        return first || map.replace("a", 7, 8);
    }

    int computeTwiceAroundGetIsViolated() {
        int value = map.compute("a", (k, v) -> v + 1);
        second(() -> map.get("a"));
        return value + map.compute("a", (k, v) -> v + 1);
    }

    int computeTwiceAroundMergeOfAnotherKeyIsAtomic() {
        int value = map.compute("a", (k, v) -> v + 1);
        second(() -> map.merge("b", 1, Integer::sum));
        return value + map.compute("a", (k, v) -> v + 1);
    }

    int getThenPutAroundComputeOfNewcomerIsViolated() {
        int value = map.get("a");
        newcomer(() -> map.compute("a", (k, v) -> v + numbers.getOrDefault(k, 1)));
        return map.put("a", value + 1);
    }

    int computeIfAbsentTwiceAroundGetIsAtomic() {
        int value = map.computeIfAbsent("a", k -> 7);
        second(() -> map.getOrDefault("a", 0));
        return value + map.computeIfAbsent("a", k -> 7);
    }

    int computeIfAbsentTwiceAroundComputeIfPresentIsViolated() {
        int value = map.computeIfAbsent("a", k -> 7);
        second(() -> map.computeIfPresent("a", (k, v) -> v + 1));
        return value + map.computeIfAbsent("a", k -> 7);
    }

    boolean computeIfPresentOfAbsentTwiceAroundGetIsAtomic() {
        Object first = map.computeIfPresent("c", (k, v) -> v + 1);
        second(() -> map.get("c"));
        return first == map.computeIfPresent("c", (k, v) -> v + 1);
    }

    int putIfAbsentTwiceAroundPutIfAbsentThatFailsIsAtomic() {
        int value = map.putIfAbsent("a", 7);
        second(() -> map.putIfAbsent("a", 8));
        return value + map.putIfAbsent("a", 9);
    }

    int equalNumbersAsKeysIsViolated() {
        numbers.put(1000, 1);
        second(() -> numbers.get(Integer.valueOf("1000")));
        return numbers.put(1000, 2);
    }

    int numbersOfTwoClassesAsKeysIsAtomic() {
        numbers.put(1000, 1);
        second(() -> numbers.get(1000L));
        return numbers.put(1000, 2);
    }

    int firstStepThenGetAroundPutIsViolated() {
        String key = map.keySet().iterator().next();
        second(() -> map.put(key, 9));
        return map.get(key);
    }

    int firstStepThenGetAroundPutOfAnotherIsAtomic() {
        Iterator<String> iterator = map.keySet().iterator();
        String key = iterator.next();
        String next = iterator.next();
        second(() -> map.put("c", 9));
        return next.length() + map.get(key);
    }

    int iterationAroundPutOfNewKeyIsViolated() {
        Iterator<Integer> iterator = map.values().iterator();
        int sum = iterator.next();
        second(() -> map.put("z", 9));
        while (iterator.hasNext()) {
            sum += iterator.next();
        }
        return sum;
    }

    int iterationAroundPutOfNextIsAtomic() {
        Iterator<Map.Entry<Integer, String>> iterator = sorted.entrySet().iterator();
        int sum = iterator.next().getKey();
        second(() -> sorted.put(5, "z"));
        while (iterator.hasNext()) {
            sum += iterator.next().getKey();
        }
        return sum;
    }

    int valueThenStepToItAroundPutIsViolated() {
        Iterator<Map.Entry<Integer, String>> iterator = sorted.entrySet().iterator();
        int sum = iterator.next().getKey() + sorted.get(5).length();
        second(() -> sorted.put(5, "zz"));
        sum += iterator.next().getKey();
        return sum + iterator.next().getValue().length();
    }

    int valueThenStepToItAroundReplaceIsViolated() {
        Map<Integer, Integer> chain = chain();
        Iterator<Integer> iterator = chain.values().iterator();
        int sum = iterator.next() + chain.get(32);
        second(() -> chain.put(32, 9));
        sum += iterator.next();
        return sum + iterator.next();
    }

    int removeThenGetAroundRemoveOfWhatIsGoneIsAtomic() {
        Iterator<String> iterator = map.keySet().iterator();
        String key = iterator.next();
        map.remove(key);
        second(() -> map.get(key));
        iterator.remove();
        return map.size();
    }

    void getsAroundRemoveByIteratorOfWhatComputeHasRemovedIsAtomic() {
        new Removal<>(map, () -> map.compute("a", (key, value) -> null)).run();
    }

    void getsAroundRemoveByIteratorOfWhatMergeHasRemovedIsAtomic() {
        new Removal<>(map, () -> map.merge("a", 1, (one, two) -> null)).run();
    }

    void getsAroundRemoveByIteratorOfWhatRemoveIfHasRemovedIsAtomic() {
        new Removal<>(map, () -> map.keySet().removeIf(key -> true)).run();
    }

    void getsAroundRemoveByIteratorOfWhatComputeOfSkipListHasRemovedIsAtomic() {
        Map<String, Integer> skipping = new ConcurrentSkipListMap<>(map);
        new Removal<>(skipping, () -> skipping.compute("a", (key, value) -> null)).run();
    }

    void getsAroundRemoveByIteratorIsViolated() {
        new Removal<>(map, () -> map.get("b")).run();
    }

    void getsAroundRemoveByIteratorOfSkipListIsViolated() {
        Map<String, Integer> skipping = new ConcurrentSkipListMap<>(map);
        new Removal<>(skipping, () -> skipping.get("b")).run();
    }

    void getsAroundRemoveByIteratorOfTreeIsViolated() {
        Map<Colliding, Integer> tree = new ConcurrentHashMap<>();
        for (int number = 0; number < 99; number++) {
            tree.put(new Colliding(), number);
        }
        new Removal<>(tree, () -> tree.size()).run();
    }

    /** All are in one bin of a table. */
    private static final class Colliding {
        @Override
        public int hashCode() {
            return 1;
        }
    }

    /** The second thread's iterator has come to the first key when the third thread does something, and removes it between two looks. No block of its own. */
    private static final class Removal<K> implements Runnable {
        private final Map<K, Integer> of;
        private final Step before;
        private Iterator<K> each;
        private K key;

        Removal(Map<K, Integer> of, Step before) {
            this.of = of;
            this.before = before;
        }

        @Override
        public void run() {
            second(() -> {
                each = of.keySet().iterator();
                key = each.next();
            });
            third(before);
            of.get(key);
            second(() -> each.remove());
            of.get(key);
        }
    }

    /** The keys follow each other in one bin. */
    private static Map<Integer, Integer> chain() {
        Map<Integer, Integer> chain = new ConcurrentHashMap<>();
        for (int key = 0; key < 64; key += 16) {
            chain.put(key, 1);
        }
        return chain;
    }

    int removeByIteratorAroundGetIsAtomic() {
        Iterator<String> iterator = map.keySet().iterator();
        String key = iterator.next();
        second(() -> map.get(key));
        iterator.remove();
        return key.length();
    }

    int removeByIteratorAroundPutIsViolated() {
        Iterator<String> iterator = map.keySet().iterator();
        String key = iterator.next();
        second(() -> map.put(key, 9));
        iterator.remove();
        return key.length();
    }

    int entryAroundPutIsViolated() {
        Map.Entry<String, Integer> entry = map.entrySet().iterator().next();
        second(() -> map.put(entry.getKey(), 9));
        return entry.setValue(7);
    }

    int entryAroundPutOfAnotherIsAtomic() {
        Map.Entry<String, Integer> entry = map.entrySet().iterator().next();
        second(() -> map.put("c", 9));
        return entry.setValue(7);
    }

    int forEachThenGetAroundPutOfPresentIsViolated() {
        int[] sum = {0};
        map.get("b");
        map.forEach((k, v) -> sum[0] += v);
        second(() -> map.put("b", 9));
        return sum[0] + map.get("b");
    }

    int forEachTwiceAroundGetIsAtomic() {
        int[] sum = {0};
        map.forEach((k, v) -> sum[0] += v);
        second(() -> map.get("b"));
        map.forEach((k, v) -> sum[0] += v);
        return sum[0];
    }

    boolean containsValueThatFindsTwiceAroundPutIsAtomic() {
        boolean has = map.containsValue(1);
        second(() -> map.put("b", 9));
        return has && map.containsValue(1);
    }

    boolean containsValueThatFindsNothingTwiceAroundPutIsViolated() {
        map.get("b");
        boolean has = map.containsValue(8);
        second(() -> map.put("b", 9));
        return has || map.containsValue(8);
    }

    int reduceThenSearchAroundPutIsViolated() {
        map.get("a");
        int sum = map.reduceValues(100, Integer::sum);
        second(() -> map.put("a", 9));
        return map.searchValues(100, v -> v > 99 ? v : null) == null ? sum : 0;
    }

    int firstKeyTwiceAroundPutOfLowerIsViolated() {
        int first = sorted.firstKey();
        second(() -> sorted.put(0, "z"));
        return first - sorted.firstKey();
    }

    int floorKeyTwiceAroundPutOfPresentIsAtomic() {
        int floor = sorted.floorKey(2);
        second(() -> sorted.put(5, "z"));
        return floor - sorted.floorKey(2);
    }

    String partThenWholeAroundPutIsViolated() {
        String value = sorted.headMap(4).tailMap(2).get(3);
        second(() -> sorted.put(3, "z"));
        return value + sorted.get(3);
    }

    String partThenWholeAroundPutOfAnotherIsAtomic() {
        String value = sorted.headMap(4).tailMap(2).get(3);
        second(() -> sorted.descendingMap().put(1, "z"));
        return value + sorted.get(3);
    }

    int putThroughDescendingPartTwiceAroundSizeIsViolated() {
        sorted.descendingMap().headMap(2).put(4, "d");
        second(() -> sorted.size());
        sorted.descendingMap().headMap(2).put(6, "f");
        return 1;
    }

    int pollTwiceAroundPutsOfOthersIsAtomic() {
        int first = sorted.pollFirstEntry().getKey();
        second(() -> sorted.put(4, "d"));
        return first + (sorted.remove(5) == null ? 0 : 1);
    }

    boolean keysContainAllTwiceAroundPutIsViolated() {
        boolean has = map.keySet().containsAll(List.of("a", "b"));
        second(() -> map.put("b", 9));
        return has && map.keySet().containsAll(List.of("a", "b"));
    }

    boolean keysContainAllTwiceAroundPutOfAnotherIsAtomic() {
        boolean has = map.keySet().containsAll(List.of("a", "b"));
        second(() -> map.put("c", 9));
        return has && map.keySet().containsAll(List.of("a", "b"));
    }

    int putAllOfOneTwiceAroundGetIsViolated() {
        map.putAll(Collections.singletonMap("a", 3));
        second(() -> map.get("a"));
        map.putAll(Map.of("a", 4));
        return 1;
    }

    int putAllOfMapThatCanChangeThenGetAroundPutIsViolated() {
        map.putAll(new HashMap<>(Map.of("a", 3, "b", 4)));
        second(() -> map.put("a", 5));
        return map.get("a");
    }

    int putAllOfMapThatCanChangeThenGetAroundPutOfAnotherIsAtomic() {
        map.putAll(new LinkedHashMap<>(Map.of("b", 3)));
        second(() -> map.put("a", 5));
        return map.get("a");
    }

    int putAllOfTreeThenGetAroundPutIsAtomic() {
        map.putAll(new TreeMap<>(Map.of("a", 3)));
        second(() -> map.put("a", 5));
        return map.get("a");
    }

    boolean containsAllOfListThatCanChangeThenAddAroundRemoveIsViolated() {
        boolean has = map.keySet().containsAll(new ArrayList<>(List.of("a")));
        second(() -> map.keySet().remove("a"));
        return has && map.putIfAbsent("a", 3) == null;
    }

    int chainOverTwoKeysIsViolated() {
        map.put("a", 3);
        second(() -> {
            if (map.get("a") == 3) {
                map.put("b", 4);
            }
        });
        return map.get("b");
    }

    int chainOverTwoKeysTheOtherWayIsAtomic() {
        map.put("a", 3);
        second(() -> {
            map.put("b", 4);
            map.get("a");
        });
        return map.get("b");
    }

    int chainOfThreeThreadsOverKeysAndSizeIsViolated() {
        map.put("a", 3);
        second(() -> {
            if (map.get("a") == 3) {
                sorted.put(7, "g");
            }
        });
        third(() -> {
            if (sorted.size() == 4) {
                map.remove("b");
            }
        });
        return map.size();
    }
}
