package uses;

import static schedule.Threads.second;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps that are in the order of accesses: a look at an entry moves it, unless it is the one that was used last.
 */
class Caches {
    private final Map<String, Integer> cache = filled(new LinkedHashMap<>(16, 0.75f, true));
    private final Map<String, Integer> least = filled(new Least());
    private final Map<String, Integer> locked = Collections.synchronizedMap(filled(new Least()));
    private final Map<String, Integer> inserted = filled(new LinkedHashMap<>(16, 0.75f, false));

    /** Drops the entry that has not been used for the longest time. */
    private static final class Least extends LinkedHashMap<String, Integer> {
        private static final long serialVersionUID = 1;

        Least() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > 3;
        }
    }

    private static Map<String, Integer> filled(Map<String, Integer> map) {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        return map;
    }

    int getsAroundGetOfAnotherIsViolated() {
        int value = cache.get("a");
        second(() -> cache.get("b"));
        return value + cache.get("a");
    }

    int getsOfLastAroundGetOfLastIsAtomic() {
        int value = cache.get("c");
        second(() -> cache.get("c"));
        return value + cache.get("c");
    }

    boolean getsOfNothingAroundGetOfNothingIsAtomic() {
        Integer value = cache.get("d");
        second(() -> cache.get("d"));
        return value == cache.get("d");
    }

    int getsInOrderOfInsertionAroundGetIsAtomic() {
        int value = inserted.get("a");
        second(() -> inserted.get("b"));
        return value + inserted.get("a");
    }

    int sizesAroundGetIsViolated() {
        int size = cache.size();
        second(() -> cache.get("a"));
        return size + cache.size();
    }

    int sizesAroundGetOfLastIsAtomic() {
        int size = cache.size();
        second(() -> cache.get("c"));
        return size + cache.size();
    }

    int getsAroundSizeIsViolated() {
        int value = cache.get("a");
        second(cache::size);
        return value + cache.get("b");
    }

    int getsOfLastAroundSizeIsAtomic() {
        int value = cache.get("c");
        second(cache::size);
        return value + cache.get("c");
    }

    int getsOfLeastAroundGetOfAnotherIsViolated() {
        int value = least.get("a");
        second(() -> least.get("b"));
        return value + least.get("a");
    }

    int sizesAroundGetOfLeastIsViolated() {
        int size = least.size();
        second(() -> least.get("a"));
        return size + least.size();
    }

    int getsOfLockedAroundGetOfAnotherIsViolated() {
        int value = locked.get("a");
        second(() -> locked.get("b"));
        return value + locked.get("a");
    }

    int sizesAroundGetOfLockedIsViolated() {
        int size = locked.size();
        second(() -> locked.get("a"));
        return size + locked.size();
    }

    int sizesAroundGetOfLastOfLockedIsAtomic() {
        int size = locked.size();
        second(() -> locked.get("c"));
        return size + locked.size();
    }

    int sizesAroundGetOrDefaultIsViolated() {
        int size = cache.size();
        second(() -> cache.getOrDefault("a", 7));
        return size + cache.size();
    }

    int sizesAroundGetOrDefaultOfNothingIsAtomic() {
        int size = cache.size();
        second(() -> cache.getOrDefault("d", 7));
        return size + cache.size();
    }

    int sizesAroundPutIfAbsentOfPresentIsViolated() {
        int size = cache.size();
        second(() -> cache.putIfAbsent("a", 7));
        return size + cache.size();
    }

    int sizesAroundPutIfAbsentOfLastIsAtomic() {
        int size = cache.size();
        second(() -> cache.putIfAbsent("c", 7));
        return size + cache.size();
    }

    int sizesAroundComputeIfAbsentOfPresentIsViolated() {
        int size = cache.size();
        second(() -> cache.computeIfAbsent("a", key -> 7));
        return size + cache.size();
    }

    int sizesAroundComputeIfAbsentOfLastIsAtomic() {
        int size = cache.size();
        second(() -> cache.computeIfAbsent("c", key -> 7));
        return size + cache.size();
    }

    int sizesAroundComputeIfAbsentOfNewIsViolated() {
        int size = cache.size();
        second(() -> cache.computeIfAbsent("d", key -> 7));
        return size + cache.size();
    }

    int sizesAroundMergeThatRemovesIsViolated() {
        int size = cache.size();
        second(() -> cache.merge("a", 7, (old, more) -> null));
        return size + cache.size();
    }

    int sizesAroundComputeOfNothingIsAtomic() {
        int size = cache.size();
        second(() -> cache.compute("d", (key, old) -> null));
        return size + cache.size();
    }

    int sizesAroundReplaceThatFailsIsAtomic() {
        int size = cache.size();
        second(() -> cache.replace("a", 7, 8));
        return size + cache.size();
    }

    int sizesAroundGetAfterPutAllOfNothingIsViolated() {
        cache.putAll(Map.of());
        int size = cache.size();
        second(() -> cache.get("a"));
        return size + cache.size();
    }

    int containsKeyAndValueAroundContainsKeyIsAtomic() {
        int count = cache.containsKey("a") ? 1 : 0;
        second(() -> cache.containsKey("b"));
        return cache.containsValue(2) ? count : 0;
    }

    int getsAfterCallThatThrewAroundGetIsViolated() {
        int value = cache.get("a");
        second(() -> {
            try {
                cache.computeIfAbsent("e", key -> {
                    throw new IllegalArgumentException();
                });
            } catch (IllegalArgumentException e) {
                cache.put("a", 7);
            }
        });
        return value + cache.get("b");
    }
}
