package violating;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import schedule.Steps;

/**
 * A reference to a method makes a call like any other, with a receiver that it knows or that it is given.
 */
public class MethodReferences {
    private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    // finding: violating.MethodReferences.addIfAbsent(java.lang.String,int,int) stale check-then-act on a collection
    void addIfAbsent(String key, int done, int await) {
        Predicate<String> isKnown = map::containsKey;
        BiFunction<String, Integer, Integer> put = map::put;
        if (!isKnown.test(key)) {
            Steps.done(done);
            Steps.await(await);
            put.apply(key, 1);
        }
    }

    // finding: violating.MethodReferences.increment(java.lang.String,int,int) lost update by get and put
    void increment(String key, int done, int await) {
        BiFunction<Map<String, Integer>, String, Integer> get = Map::get;
        Integer value = get.apply(map, key);
        Steps.done(done);
        Steps.await(await);
        Putting<Map<String, Integer>> put = Map::put;
        put.put(map, key, value == null ? 1 : value + 1);
    }

    interface Putting<M> {
        void put(M map, String key, Integer value);
    }

    // finding: violating.MethodReferences.increment(int,int) lost update by get and set
    void increment(int done, int await) {
        IntSupplier get = number::get;
        IntConsumer set = number::set;
        int value = get.getAsInt();
        Steps.done(done);
        Steps.await(await);
        set.accept(value + 1);
    }

    // finding: violating.MethodReferences.twoSections(int,int) stale check-then-act across critical sections
    void twoSections(int done, int await) {
        Runnable take = lock::lock;
        Runnable give = lock::unlock;
        take.run();
        give.run();
        Steps.done(done);
        Steps.await(await);
        take.run();
        give.run();
    }

    public static void main(String[] args) throws InterruptedException {
        MethodReferences p = new MethodReferences();
        Steps.run(() -> {
            p.addIfAbsent("k", 1, 2);
            p.increment("n", 3, 4);
            p.increment(5, 6);
            p.twoSections(7, 8);
        }, () -> {
            Steps.await(1);
            p.addIfAbsent("k", 1, 1);
            Steps.done(2);
            Steps.await(3);
            p.increment("n", 3, 3);
            Steps.done(4);
            Steps.await(5);
            p.increment(5, 5);
            Steps.done(6);
            Steps.await(7);
            p.twoSections(7, 7);
            Steps.done(8);
        });
        System.out.println(p.map + " " + p.number);
    }
}
