package advised;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAdder;
import schedule.Steps;

/** As {@link OneCall}, with other rows of the table of advice. */
public class OneStep {
    private static final AtomicIntegerFieldUpdater<OneStep> LEVEL = AtomicIntegerFieldUpdater.newUpdater(OneStep.class, "level");

    private final boolean isFixed;
    private final ConcurrentHashMap<String, Integer> read = new ConcurrentHashMap<>(Map.of("k", 1));
    private final ConcurrentHashMap<String, Integer> replaced = new ConcurrentHashMap<>(Map.of("k", 1));
    private final ConcurrentHashMap<String, Integer> removed = new ConcurrentHashMap<>(Map.of("k", 1));
    private final ConcurrentSkipListMap<Integer, String> first = new ConcurrentSkipListMap<>(Map.of(1, "a"));
    private final ConcurrentSkipListMap<Integer, String> lowest = new ConcurrentSkipListMap<>(Map.of(1, "a", 2, "b"));
    private final CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>();
    private final Vector<String> vector = new Vector<>(List.of("a", "b"));
    private final Set<String> members = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingDeque<String> deque = new LinkedBlockingDeque<>(List.of("a", "b"));
    private final AtomicInteger tried = new AtomicInteger();
    private final AtomicBoolean flag = new AtomicBoolean();
    private final LongAdder sum = new LongAdder();
    private final AtomicInteger counted = new AtomicInteger();
    private final AtomicStampedReference<String> stamped = new AtomicStampedReference<>("a", 1);
    private final AtomicIntegerArray array = new AtomicIntegerArray(1);
    private volatile int level;
    private int step;

    OneStep(boolean isFixed) {
        this.isFixed = isFixed;
    }

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: advised.OneStep.onceRead() stale check-then-act on a collection
    // advice: advised.OneStep.onceRead() get alone, which returns null if the key is not there, does in one step
    void onceRead() {
        if (isFixed) {
            read.get("k");
            meet();
        } else if (read.containsKey("k")) {
            meet();
            read.get("k");
        }
    }

    // finding: advised.OneStep.onceReplaced() stale check-then-act on a collection
    // advice: advised.OneStep.onceReplaced() computeIfPresent or compute does in one step
    void onceReplaced() {
        if (isFixed) {
            replaced.computeIfPresent("k", (key, value) -> value + 1);
            meet();
        } else {
            int seen = replaced.get("k");
            meet();
            replaced.replace("k", seen + 1);
        }
    }

    // finding: advised.OneStep.onceRemoved() stale check-then-act on a collection
    // advice: advised.OneStep.onceRemoved() remove alone, which does nothing if the key is not there, does in one step
    void onceRemoved() {
        if (isFixed) {
            removed.remove("k");
            meet();
        } else if (removed.containsKey("k")) {
            meet();
            removed.remove("k");
        }
    }

    // finding: advised.OneStep.onceFirst() unrepeatable read
    // advice: advised.OneStep.onceFirst() firstEntry does in one step
    void onceFirst() {
        if (isFixed) {
            first.firstEntry();
            meet();
        } else {
            Integer key = first.firstKey();
            meet();
            first.get(key);
        }
    }

    // finding: advised.OneStep.onceLowest() stale check-then-act on a collection
    // advice: advised.OneStep.onceLowest() pollFirstEntry alone, which returns null if there is nothing, does in one step
    void onceLowest() {
        if (isFixed) {
            lowest.pollFirstEntry();
            meet();
        } else if (!lowest.isEmpty()) {
            meet();
            lowest.pollFirstEntry();
        }
    }

    // finding: advised.OneStep.onceCopied() stale check-then-act on a collection
    // advice: advised.OneStep.onceCopied() addIfAbsent does in one step
    void onceCopied() {
        if (isFixed) {
            copied.addIfAbsent("a");
            meet();
        } else if (!copied.contains("a")) {
            meet();
            copied.add("a");
        }
    }

    // finding: advised.OneStep.onceInVector() stale check-then-act on a collection
    // advice: advised.OneStep.onceInVector() remove alone, that of an element, which returns false if it was not there, does in one step
    void onceInVector() {
        if (isFixed) {
            vector.remove("a");
            meet();
        } else if (vector.contains("a")) {
            meet();
            vector.remove("a");
        }
    }

    // finding: advised.OneStep.onceMember() stale check-then-act on a collection
    // advice: advised.OneStep.onceMember() add alone, which returns false if it was there, does in one step
    void onceMember() {
        if (isFixed) {
            members.add("a");
            meet();
        } else if (!members.contains("a")) {
            meet();
            members.add("a");
        }
    }

    // finding: advised.OneStep.onceLast() stale check-then-act on a collection
    // advice: advised.OneStep.onceLast() pollLast alone, which returns null if there is nothing, does in one step
    void onceLast() {
        if (isFixed) {
            deque.pollLast();
            meet();
        } else if (deque.peekLast() != null) {
            meet();
            deque.pollLast();
        }
    }

    // finding: advised.OneStep.onceTried() stale check-then-act on an atomic variable
    // advice: advised.OneStep.onceTried() updateAndGet or accumulateAndGet does in one step
    void onceTried() {
        if (isFixed) {
            tried.updateAndGet(number -> number + 1);
            meet();
        } else {
            int seen = tried.get();
            meet();
            tried.compareAndSet(seen + 1, seen + 2);
        }
    }

    // finding: advised.OneStep.onceFlag() lost update by get and set
    // advice: advised.OneStep.onceFlag() getAndSet or compareAndSet does in one step
    void onceFlag() {
        if (isFixed) {
            flag.getAndSet(true);
            meet();
        } else if (!flag.get()) {
            meet();
            flag.set(true);
        }
    }

    // finding: advised.OneStep.onceSum() lost update
    // advice: advised.OneStep.onceSum() sumThenReset does in one step
    void onceSum() {
        if (isFixed) {
            sum.sumThenReset();
            meet();
        } else {
            sum.sum();
            meet();
            sum.reset();
        }
    }

    // finding: advised.OneStep.onceCounted() torn update
    // advice: advised.OneStep.onceCounted() addAndGet or updateAndGet with the sum does in one step
    void onceCounted() {
        if (isFixed) {
            counted.addAndGet(2);
            meet();
        } else {
            counted.incrementAndGet();
            meet();
            counted.incrementAndGet();
        }
    }

    // finding: advised.OneStep.onceStamped() unrepeatable read
    // advice: advised.OneStep.onceStamped() get with an array for the stamp does in one step
    void onceStamped() {
        if (isFixed) {
            stamped.get(new int[1]);
            meet();
        } else {
            stamped.getReference();
            meet();
            stamped.getStamp();
        }
    }

    // finding: advised.OneStep.onceElement() lost update by get and set
    // advice: advised.OneStep.onceElement() addAndGet, updateAndGet, getAndSet or compareAndSet does in one step
    void onceElement() {
        if (isFixed) {
            array.addAndGet(0, 1);
            meet();
        } else {
            int seen = array.get(0);
            meet();
            array.set(0, seen + 1);
        }
    }

    // finding: advised.OneStep.onceLevel() lost update by get and set
    // advice: advised.OneStep.onceLevel() addAndGet, updateAndGet, getAndSet or compareAndSet does in one step
    void onceLevel() {
        if (isFixed) {
            LEVEL.addAndGet(this, 1);
            meet();
        } else {
            int seen = LEVEL.get(this);
            meet();
            LEVEL.set(this, seen + 1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        OneStep p = new OneStep(args.length > 0);
        List<Runnable> methods = List.of(p::onceRead, p::onceReplaced, p::onceRemoved, p::onceFirst, p::onceLowest, p::onceCopied, p::onceInVector, p::onceMember,
            p::onceLast, p::onceTried, p::onceFlag, p::onceSum, p::onceCounted, p::onceStamped, p::onceElement, p::onceLevel);
        List<Runnable> others = List.of(() -> p.read.put("k", 2), () -> p.replaced.put("k", 3), () -> p.removed.put("k", 2), () -> p.first.put(1, "b"),
            () -> p.lowest.pollFirstEntry(), () -> p.copied.add("a"), () -> p.vector.remove("a"), () -> p.members.add("a"), () -> p.deque.pollLast(),
            () -> p.tried.incrementAndGet(), () -> p.flag.set(true), () -> p.sum.increment(), () -> p.counted.incrementAndGet(),
            () -> p.stamped.set("b", 2), () -> p.array.incrementAndGet(0), () -> p.level++);
        Steps.run(() -> methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println("done");
    }
}
