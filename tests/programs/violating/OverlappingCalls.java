package violating;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import schedule.Flag;
import schedule.Turns;

/**
 * Calls of one key that overlap: the function that one of them is given lets another thread call the same map. What both have returned tells that the call with
 * the function came last. {@code atomic.OverlappingCallsOnce} makes the same calls without another one before.
 */
public class OverlappingCalls {
    private final Turns turns = new Turns();
    private final ConcurrentMap<String, Integer> map = new ConcurrentSkipListMap<>();
    private final ConcurrentMap<String, Integer> hashed = new ConcurrentHashMap<>();
    private final Flag inside = new Flag();
    private final Flag read = new Flag();
    private final Flag over = new Flag();

    /** Lets the other thread do this when it is called first. */
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

    // finding: violating.OverlappingCalls.meetsRemove() stale check-then-act on a collection
    boolean meetsRemove() {
        return map.containsKey("removed") && map.computeIfPresent("removed", letting(() -> map.remove("removed"), 2)) != null;
    }

    // finding: violating.OverlappingCalls.meetsRemoveOfValue() unrepeatable read
    boolean meetsRemoveOfValue() {
        return map.get("value") == 1 && map.computeIfPresent("value", letting(() -> map.remove("value", 1), 2)) != null;
    }

    // finding: violating.OverlappingCalls.meetsPut() stale check-then-act on a collection
    int meetsPut() {
        return map.get("put") + map.compute("put", letting(() -> map.put("put", 3), 2));
    }

    // finding: violating.OverlappingCalls.meetsReplace() stale check-then-act on a collection
    int meetsReplace() {
        return map.get("replaced") + map.merge("replaced", 5, letting(() -> map.replace("replaced", 3), 2));
    }

    // finding: violating.OverlappingCalls.meetsReplaceOfValue() stale check-then-act on a collection
    int meetsReplaceOfValue() {
        return map.get("one") + map.merge("one", 5, letting(() -> map.replace("one", 1, 3), 2));
    }

    // finding: violating.OverlappingCalls.meetsPutIfAbsent() interference
    boolean meetsPutIfAbsent() {
        map.put("first", 1);
        return map.computeIfAbsent("new", lettingFirst(() -> map.putIfAbsent("new", map.get("first")), 2)) == 2;
    }

    // finding: violating.OverlappingCalls.reads() unrepeatable read
    int reads() {
        int before = hashed.get("read");
        read.set();
        over.await();
        return before + hashed.get("read");
    }

    /** Is asked for the key while it computes. */
    private void computes() {
        hashed.compute("read", (key, old) -> {
            inside.set();
            read.await();
            return 2;
        });
        over.set();
    }

    // finding: violating.OverlappingCalls.all() stale check-then-act on a collection
    private void all() {
        System.out.println(meetsRemove() + " " + meetsRemoveOfValue() + " " + meetsPut() + " " + meetsReplace() + " " + meetsReplaceOfValue() + " " + meetsPutIfAbsent());
    }

    public static void main(String[] args) throws InterruptedException {
        OverlappingCalls calls = new OverlappingCalls();
        for (String key : new String[] {"removed", "value", "put", "replaced", "one"}) {
            calls.map.put(key, 1);
        }
        calls.hashed.put("read", 1);
        calls.turns.run(calls::all);
        Thread other = new Thread(calls::computes, "other");
        other.start();
        calls.inside.await();
        System.out.println(calls.reads());
        other.join();
    }
}
