package violating;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * Classes of the program that extend those of the platform, and are called by their own type.
 */
public class OwnClasses {
    static class Segment extends ReentrantLock {
        private static final long serialVersionUID = 1;
        private int count;
    }

    /** Another class between. */
    static class LargeSegment extends Segment {
        private static final long serialVersionUID = 1;
    }

    static class Registry extends ConcurrentHashMap<String, Integer> {
        private static final long serialVersionUID = 1;
    }

    /** What it overrides is a method of the program; what that calls has a model. */
    static class Checked extends ConcurrentHashMap<String, Integer> {
        private static final long serialVersionUID = 1;

        @Override
        public Integer put(String key, Integer value) {
            return super.put(key, value == null ? 0 : value);
        }
    }

    static class Numbers extends AtomicInteger {
        private static final long serialVersionUID = 1;
    }

    static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    private final Segment segment = new Segment();
    private final LargeSegment large = new LargeSegment();
    private final Registry registry = new Registry();
    private final Checked checked = new Checked();
    private final Numbers numbers = new Numbers();
    private final Names names = new Names();

    private static int get(Segment segment) {
        segment.lock();
        try {
            return segment.count;
        } finally {
            segment.unlock();
        }
    }

    private static void set(LargeSegment segment, int count) {
        if (segment.tryLock()) {
            ((Segment) segment).count = count;
            segment.unlock();
        }
    }

    // finding: violating.OwnClasses.twoSections() stale check-then-act across critical sections
    void twoSections() {
        segment.lock();
        segment.unlock();
        Steps.done(1);
        Steps.await(2);
        segment.lock();
        segment.unlock();
    }

    // finding: violating.OwnClasses.add(int) stale check-then-act across critical sections
    void add(int n) {
        int count = get(large);
        Steps.done(3);
        Steps.await(4);
        set(large, count + n);
    }

    // finding: violating.OwnClasses.register(java.lang.String) stale check-then-act on a collection
    void register(String key) {
        boolean isKnown = registry.containsKey(key);
        Steps.done(5);
        Steps.await(6);
        if (!isKnown) {
            registry.put(key, 1);
        }
    }

    // finding: violating.OwnClasses.putTwice(java.lang.String) torn update
    void putTwice(String key) {
        checked.put(key, null);
        Steps.done(7);
        Steps.await(8);
        checked.put(key, 1);
    }

    // finding: violating.OwnClasses.increment() lost update by get and set
    void increment() {
        int number = numbers.get();
        Steps.done(9);
        Steps.await(10);
        numbers.set(number + 1);
    }

    // finding: violating.OwnClasses.name(java.lang.String) stale check-then-act on a collection
    void name(String name) {
        boolean isKnown = names.contains(name);
        Steps.done(11);
        Steps.await(12);
        if (!isKnown) {
            names.add(name);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        OwnClasses p = new OwnClasses();
        Steps.run(() -> {
            p.twoSections();
            p.add(1);
            p.register("k");
            p.putTwice("k");
            p.increment();
            p.name("n");
        }, () -> {
            Steps.await(1);
            p.segment.lock();
            p.segment.unlock();
            Steps.done(2);
            Steps.await(3);
            set(p.large, 7);
            Steps.done(4);
            Steps.await(5);
            p.registry.putIfAbsent("k", 2);
            Steps.done(6);
            Steps.await(7);
            p.checked.get("k");
            Steps.done(8);
            Steps.await(9);
            p.numbers.incrementAndGet();
            Steps.done(10);
            Steps.await(11);
            p.names.add("n");
            Steps.done(12);
        });
        System.out.println(get(p.large) + " " + p.registry.size() + p.checked.size() + p.numbers.get() + p.names.size());
    }
}
