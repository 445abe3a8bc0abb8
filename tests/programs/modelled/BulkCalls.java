package modelled;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Operations of a {@code ConcurrentHashMap} on all of its entries, which can wait for tasks that do parts of them.
 */
public class BulkCalls extends Calls {
    private static final long ALONE = Long.MAX_VALUE;

    /** All of them. */
    public BulkCalls() {
        reads(() -> filled(), (m, t) -> m.put(1, 9), (m, t) -> m.search(ALONE, (k, v) -> null), (m, t) -> m.searchKeys(ALONE, k -> null),
            (m, t) -> m.searchValues(ALONE, v -> null), (m, t) -> m.searchEntries(ALONE, e -> null), (m, t) -> {
                m.forEachKey(ALONE, k -> { });
                return null;
            }, (m, t) -> {
                m.forEachValue(ALONE, v -> { });
                return null;
            }, (m, t) -> {
                m.forEachEntry(ALONE, e -> { });
                return null;
            }, (m, t) -> m.reduce(ALONE, (k, v) -> v, Integer::sum), (m, t) -> m.reduceToInt(ALONE, (k, v) -> v, 0, Integer::sum),
            (m, t) -> m.reduceToLong(ALONE, (k, v) -> v, 0, Long::sum), (m, t) -> m.reduceToDouble(ALONE, (k, v) -> v, 0, Double::sum),
            (m, t) -> m.reduceKeys(ALONE, Integer::sum), (m, t) -> m.reduceKeysToInt(ALONE, k -> k, 0, Integer::sum),
            (m, t) -> m.reduceKeysToLong(ALONE, k -> k, 0, Long::sum), (m, t) -> m.reduceKeysToDouble(ALONE, k -> k, 0, Double::sum),
            (m, t) -> m.reduceValues(ALONE, Integer::sum), (m, t) -> m.reduceValuesToInt(ALONE, v -> v, 0, Integer::sum),
            (m, t) -> m.reduceValuesToLong(ALONE, v -> v, 0, Long::sum), (m, t) -> m.reduceValuesToDouble(ALONE, v -> v, 0, Double::sum),
            (m, t) -> m.reduceEntries(ALONE, Map.Entry::getValue, Integer::sum), (m, t) -> m.reduceEntriesToInt(ALONE, Map.Entry::getValue, 0, Integer::sum),
            (m, t) -> m.reduceEntriesToLong(ALONE, Map.Entry::getValue, 0, Long::sum), (m, t) -> m.reduceEntriesToDouble(ALONE, Map.Entry::getValue, 0, Double::sum));
    }

    private static ConcurrentHashMap<Integer, Integer> filled() {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        for (int i = 1; i <= 4; i++) {
            map.put(i, i);
        }
        return map;
    }
}
