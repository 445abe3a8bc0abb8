package modelled;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import schedule.Steps;

/**
 * Two calls on a map with another thread's in between, and for each the one call that does both: reports name the key, the field, and that
 * call.
 */
public class KeysOfMaps {
    enum Colour {
        RED;

        @Override
        public String toString() {
            throw new IllegalStateException("a report runs no code of the program");
        }
    }

    /** A key that is compared by its identity here, so it has no name. */
    static class Point {
        @Override
        public String toString() {
            throw new IllegalStateException("a report runs no code of the program");
        }
    }

    private static final Map<Long, String> numbers = new ConcurrentSkipListMap<>();
    private final ConcurrentHashMap<String, Integer> words = new ConcurrentHashMap<>();
    private final Map<Object, Integer> things = new ConcurrentHashMap<>();
    private final Map<String, Integer> guarded = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, Integer> plain = new HashMap<>();
    private int step;

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: modelled.KeysOfMaps.add() stale check-then-act on a collection
    // access: modelled.KeysOfMaps.add() read of key "k\" |\u001b)]" of ConcurrentHashMap (field KeysOfMaps.words) by containsKey
    // access: modelled.KeysOfMaps.add() write of key "k\" |\u001b)]" of ConcurrentHashMap (field KeysOfMaps.words) by put
    // advice: modelled.KeysOfMaps.add() putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent) does in one step
    void add() {
        if (!words.containsKey("k\" |\u001b)]")) {
            meet();
            words.put("k\" |\u001b)]", 1);
        }
    }

    // finding: modelled.KeysOfMaps.count(java.lang.String) lost update by get and put
    // access: modelled.KeysOfMaps.count(java.lang.String) read of key "a key that is longer than what a report ..." of ConcurrentHashMap (field KeysOfMaps.words) by getOrDefault
    // access: modelled.KeysOfMaps.count(java.lang.String) write of key "a key that is longer than what a report ..." of ConcurrentHashMap (field KeysOfMaps.words) by merge
    // access: modelled.KeysOfMaps.count(java.lang.String) write of key "a key that is longer than what a report ..." of ConcurrentHashMap (field KeysOfMaps.words) by put
    // advice: modelled.KeysOfMaps.count(java.lang.String) computeIfAbsent, merge, compute or replace(key, old, new) does in one step
    void count(String word) {
        int known = words.getOrDefault(word, 0);
        meet();
        words.put(word, known + 1);
    }

    // finding: modelled.KeysOfMaps.drop() stale check-then-act on a collection
    // access: modelled.KeysOfMaps.drop() read of key 7L of ConcurrentSkipListMap (field KeysOfMaps.numbers) by get
    // access: modelled.KeysOfMaps.drop() write of key 7L of ConcurrentSkipListMap (field KeysOfMaps.numbers) by put
    // access: modelled.KeysOfMaps.drop() write of key 7L of ConcurrentSkipListMap (field KeysOfMaps.numbers) by remove
    // advice: modelled.KeysOfMaps.drop() computeIfPresent or remove alone, by what it returns, does in one step
    void drop() {
        if (numbers.get(7L) != null) {
            meet();
            numbers.remove(7L);
        }
    }

    // finding: modelled.KeysOfMaps.fill() stale check-then-act on a collection
    // access: modelled.KeysOfMaps.fill() read of a part of ConcurrentHashMap (field KeysOfMaps.words) by isEmpty
    // access: modelled.KeysOfMaps.fill() write of a part of ConcurrentHashMap (field KeysOfMaps.words) by put
    // access: modelled.KeysOfMaps.fill() write of key "first" of ConcurrentHashMap (field KeysOfMaps.words) by put
    // advice: modelled.KeysOfMaps.fill() hold one lock from
    void fill() {
        words.isEmpty();
        meet();
        words.put("first", 1);
    }

    // finding: modelled.KeysOfMaps.byValue() unrepeatable read
    // access: modelled.KeysOfMaps.byValue() read of key KeysOfMaps$Colour.RED of ConcurrentHashMap (field KeysOfMaps.things) by get
    // access: modelled.KeysOfMaps.byValue() write of key KeysOfMaps$Colour.RED of ConcurrentHashMap (field KeysOfMaps.things) by put
    void byValue() {
        things.get(Colour.RED);
        meet();
        things.get(Colour.RED);
    }

    // finding: modelled.KeysOfMaps.byClass() lost update by get and put
    // access: modelled.KeysOfMaps.byClass() read of key java.lang.String.class of ConcurrentHashMap (field KeysOfMaps.things) by get
    // access: modelled.KeysOfMaps.byClass() write of key java.lang.String.class of ConcurrentHashMap (field KeysOfMaps.things) by put
    void byClass() {
        things.get(String.class);
        meet();
        things.put(String.class, 1);
    }

    // finding: modelled.KeysOfMaps.byIdentity(modelled.KeysOfMaps$Point) lost update by get and put
    // access: modelled.KeysOfMaps.byIdentity(modelled.KeysOfMaps$Point) read of key KeysOfMaps$Point@N of ConcurrentHashMap (field KeysOfMaps.things) by get
    // access: modelled.KeysOfMaps.byIdentity(modelled.KeysOfMaps$Point) write of key KeysOfMaps$Point@N of ConcurrentHashMap (field KeysOfMaps.things) by put
    void byIdentity(Point point) {
        things.get(point);
        meet();
        things.put(point, 1);
    }

    // finding: modelled.KeysOfMaps.guarded() lost update by get and put
    // access: modelled.KeysOfMaps.guarded() read of Collections$SynchronizedMap (field KeysOfMaps.guarded) by get
    // access: modelled.KeysOfMaps.guarded() write of Collections$SynchronizedMap (field KeysOfMaps.guarded) by put
    // advice: modelled.KeysOfMaps.guarded() computeIfAbsent, merge, compute or replace(key, old, new) does in one step
    void guarded() {
        guarded.get("k");
        meet();
        guarded.put("k", 1);
    }

    // finding: modelled.KeysOfMaps.plain(java.util.Map) stale check-then-act on a collection
    // access: modelled.KeysOfMaps.plain(java.util.Map) read of HashMap (field KeysOfMaps.plain) by containsKey
    // access: modelled.KeysOfMaps.plain(java.util.Map) write of HashMap (field KeysOfMaps.plain) by put
    // advice: modelled.KeysOfMaps.plain(java.util.Map) putIfAbsent or computeIfAbsent (for a key that is there: replace or computeIfPresent) of a ConcurrentHashMap in place of HashMap does in one step
    void plain(Map<String, Integer> given) {
        // Where the map comes from is known only of the other thread's call.
        given.containsKey("k");
        meet();
        given.put("k", 1);
    }

    // Atomic, by the calls that the reports name.
    void inOneStep() {
        words.putIfAbsent("one", 1);
        meet();
    }

    void merged() {
        words.merge("two", 1, Integer::sum);
        meet();
    }

    void removed() {
        numbers.remove(8L, "old");
        meet();
    }

    void computed() {
        guarded.compute("three", (key, old) -> old == null ? 1 : old + 1);
        meet();
    }

    void otherKeys() {
        words.get("four");
        meet();
        words.put("four", 1);
    }

    public static void main(String[] args) throws InterruptedException {
        KeysOfMaps p = new KeysOfMaps();
        String longer = "a key that is longer than what a report shows of one, which has its reasons";
        Point point = new Point();
        numbers.put(7L, "seven");
        numbers.put(8L, "old");
        List<Consumer<KeysOfMaps>> methods = List.of(KeysOfMaps::add, q -> q.count(longer), KeysOfMaps::drop, KeysOfMaps::byValue, KeysOfMaps::byClass,
            q -> q.byIdentity(point), KeysOfMaps::guarded, q -> q.plain(q.plain), KeysOfMaps::inOneStep, KeysOfMaps::merged, KeysOfMaps::removed,
            KeysOfMaps::computed, KeysOfMaps::otherKeys);
        List<Runnable> others = List.of(() -> p.words.put("k\" |\u001b)]", 2), () -> p.words.merge(longer, 1, Integer::sum), () -> numbers.put(7L, "other"),
            () -> p.things.put(Colour.RED, 2), () -> p.things.put(String.class, 2), () -> p.things.put(point, 2), () -> p.guarded.put("k", 2),
            () -> p.plain.put("k", 2), () -> p.words.putIfAbsent("one", 2), () -> p.words.merge("two", 1, Integer::sum), () -> numbers.remove(8L, "old"),
            () -> p.guarded.compute("three", (key, old) -> old == null ? 1 : old + 1), () -> p.words.put("five", 2));
        KeysOfMaps empty = new KeysOfMaps();
        empty.step = 2 * methods.size();
        Steps.run(() -> {
            methods.forEach(method -> method.accept(p));
            empty.fill();
        }, () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
            Steps.await(2 * others.size() + 1);
            empty.words.put("first", 2);
            // The key is written before the number of keys.
            empty.words.put("first", 3);
            Steps.done(2 * others.size() + 2);
        });
        System.out.println(p.words.get(longer) + " " + p.guarded.get("three"));
    }
}
