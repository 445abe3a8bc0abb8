package modelled;

import java.util.HashMap;
import java.util.Map;
import schedule.Steps;

/**
 * A library of the program's own, whose code is not watched: only a table says what calls of its interface do, by each class that implements it.
 */
public class OwnInterface {
    /** What the table names. */
    interface Store {
        Object find(String key);

        Object keep(String key, Object value);

        default boolean has(String key) {
            return find(key) != null;
        }
    }

    /** The library's. */
    static class Plain implements Store {
        private final Map<String, Object> all = new HashMap<>();

        @Override
        public synchronized Object find(String key) {
            return all.get(key);
        }

        @Override
        public synchronized Object keep(String key, Object value) {
            return all.putIfAbsent(key, value);
        }
    }

    /** One whose code is watched: it does what it does, and not what the interface says. */
    static final class Watched implements Store {
        @Override
        public Object find(String key) {
            return null;
        }

        @Override
        public Object keep(String key, Object value) {
            return null;
        }
    }

    private final Store store = new Plain();
    private final Plain plain = new Plain();
    private final Store watched = new Watched();

    void byInterface() {
        if (store.find("a") == null) {
            pause(1);
            store.keep("a", "mine");
        }
    }

    void byClass() {
        if (plain.find("b") == null) {
            pause(3);
            plain.keep("b", "mine");
        }
    }

    void byDefaultMethod() {
        if (!store.has("c")) {
            pause(5);
            store.keep("c", "mine");
        }
    }

    void ofAnotherKey() {
        if (store.find("d") == null) {
            pause(7);
            store.keep("d", "mine");
        }
    }

    void byWatchedClass() {
        if (watched.find("e") == null) {
            pause(9);
            watched.keep("e", "mine");
        }
    }

    private static void pause(int step) {
        Steps.done(step);
        Steps.await(step + 1);
    }

    private void meanwhile(int step, Runnable what) {
        Steps.await(step);
        what.run();
        Steps.done(step + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        OwnInterface o = new OwnInterface();
        Steps.run(() -> {
            o.byInterface();
            o.byClass();
            o.byDefaultMethod();
            o.ofAnotherKey();
            o.byWatchedClass();
        }, () -> {
            o.meanwhile(1, () -> o.store.keep("a", "other"));
            o.meanwhile(3, () -> o.plain.keep("b", "other"));
            o.meanwhile(5, () -> o.store.keep("c", "other"));
            o.meanwhile(7, () -> o.store.keep("another", "other"));
            o.meanwhile(9, () -> o.watched.keep("e", "other"));
        });
    }
}
