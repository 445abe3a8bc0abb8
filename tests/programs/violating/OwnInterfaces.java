package violating;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * Classes of the platform that are called by an interface of the program's own.
 */
public class OwnInterfaces {
    interface Registry extends Map<String, Integer> {
    }

    static class HashRegistry extends HashMap<String, Integer> implements Registry {
        private static final long serialVersionUID = 1;
    }

    /** Another interface between. */
    interface Names extends Set<String> {
    }

    interface FewNames extends Names {
    }

    static class LinkedNames extends LinkedHashSet<String> implements FewNames {
        private static final long serialVersionUID = 1;
    }

    /** It extends nothing. */
    interface Store {
        Object get(Object key);

        Object put(Object key, Object value);
    }

    static class MapStore extends ConcurrentHashMap<Object, Object> implements Store {
        private static final long serialVersionUID = 1;
    }

    interface Guard extends Lock {
    }

    static class OwnGuard extends ReentrantLock implements Guard {
        private static final long serialVersionUID = 1;
    }

    private final Registry registry = new HashRegistry();
    private final FewNames names = new LinkedNames();
    private final Store store = new MapStore();
    private final Guard guard = new OwnGuard();

    // finding: violating.OwnInterfaces.register(java.lang.String) stale check-then-act on a collection
    void register(String key) {
        boolean isKnown = registry.containsKey(key);
        Steps.done(1);
        Steps.await(2);
        if (!isKnown) {
            registry.put(key, 1);
        }
    }

    // finding: violating.OwnInterfaces.name(java.lang.String) stale check-then-act on a collection
    void name(String name) {
        boolean isFree = names.stream().noneMatch(name::equals);
        Steps.done(3);
        Steps.await(4);
        if (isFree) {
            names.add(name);
        }
    }

    // finding: violating.OwnInterfaces.increment(java.lang.String) lost update by get and put
    void increment(String key) {
        Object count = store.get(key);
        Steps.done(5);
        Steps.await(6);
        store.put(key, count == null ? 1 : (Integer) count + 1);
    }

    // finding: violating.OwnInterfaces.twoSections() stale check-then-act across critical sections
    void twoSections() {
        guard.lock();
        guard.unlock();
        Steps.done(7);
        Steps.await(8);
        guard.lock();
        guard.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        OwnInterfaces p = new OwnInterfaces();
        Steps.run(() -> {
            p.register("k");
            p.name("n");
            p.increment("k");
            p.twoSections();
        }, () -> {
            Steps.await(1);
            p.registry.put("k", 2);
            Steps.done(2);
            Steps.await(3);
            p.names.add("m");
            Steps.done(4);
            Steps.await(5);
            p.store.put("k", 7);
            Steps.done(6);
            Steps.await(7);
            p.guard.lock();
            p.guard.unlock();
            Steps.done(8);
        });
        System.out.println(p.registry + " " + p.names + " " + p.store.get("k"));
    }
}
