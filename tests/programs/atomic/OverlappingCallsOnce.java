package atomic;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import schedule.Flag;
import schedule.Turns;

/**
 * Calls of one key that overlap, each alone in its method, or with nothing in between: the function that one of them is given lets another thread call the same
 * map. {@code violating.OverlappingCalls} has looked at the key before.
 */
public class OverlappingCallsOnce {
    private final Turns turns = new Turns();
    private final ConcurrentMap<String, Integer> map = new ConcurrentSkipListMap<>();
    private final ConcurrentMap<String, Integer> hashed = new ConcurrentHashMap<>();
    private final Flag inside = new Flag();
    private final Flag read = new Flag();

    private <T, U> BiFunction<T, U, Integer> letting(Runnable other, int result) {
        boolean[] hasBeen = new boolean[1];
        return (key, old) -> {
            if (!hasBeen[0]) {
                hasBeen[0] = true;
                turns.give(other);
            }
            return result;
        };
    }

    private Function<String, Integer> lettingFirst(Runnable other, int result) {
        BiFunction<String, Integer, Integer> function = letting(other, result);
        return key -> function.apply(key, null);
    }

    boolean meetsRemove() {
        return map.computeIfPresent("removed", letting(() -> map.remove("removed"), 2)) != null || map.containsKey("removed");
    }

    boolean meetsRemoveOfValue() {
        return map.computeIfPresent("value", letting(() -> map.remove("value", 1), 2)) != null;
    }

    int meetsPut() {
        return map.compute("put", letting(() -> map.put("put", 3), 2)) + map.get("put");
    }

    int meetsReplace() {
        return map.merge("replaced", 5, letting(() -> map.replace("replaced", 3), 2));
    }

    int meetsReplaceOfValue() {
        return map.merge("one", 5, letting(() -> map.replace("one", 1, 3), 2));
    }

    boolean meetsPutIfAbsent() {
        return map.computeIfAbsent("new", lettingFirst(() -> map.putIfAbsent("new", 3), 2)) == 2 || map.containsKey("none");
    }

    /** Twice, and both times before the other thread has changed the key. */
    int reads() {
        return hashed.get("read") + hashed.get("read");
    }

    private void computes() {
        hashed.compute("read", (key, old) -> {
            inside.set();
            read.await();
            return 2;
        });
    }

    private void show(Object what) {
        System.out.println(what);
    }

    public static void main(String[] args) throws InterruptedException {
        OverlappingCallsOnce calls = new OverlappingCallsOnce();
        for (String key : new String[] {"removed", "value", "put", "replaced", "one"}) {
            calls.map.put(key, 1);
        }
        calls.hashed.put("read", 1);
        calls.turns.run(() -> {
            calls.show(calls.meetsRemove());
            calls.show(calls.meetsRemoveOfValue());
            calls.show(calls.meetsPut());
            calls.show(calls.meetsReplace());
            calls.show(calls.meetsReplaceOfValue());
            calls.show(calls.meetsPutIfAbsent());
        });
        Thread other = new Thread(calls::computes, "other");
        other.start();
        calls.inside.await();
        calls.show(calls.reads());
        calls.read.set();
        other.join();
    }
}
