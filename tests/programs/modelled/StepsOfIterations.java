package modelled;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import schedule.Steps;

/**
 * Iterations that another thread's change interrupts, and collections that are asked before they are changed; each beside what is atomic.
 */
public class StepsOfIterations {
    private final Vector<String> vector = new Vector<>(List.of("a", "b"));
    private final List<String> guarded = Collections.synchronizedList(new ArrayList<>(List.of("a", "b")));
    private final Map<String, Integer> map = new HashMap<>(Map.of("a", 1, "b", 2));
    private final CopyOnWriteArrayList<String> copied = new CopyOnWriteArrayList<>();
    private final Set<String> set = new TreeSet<>();
    private final Deque<String> deque = new ArrayDeque<>(List.of("a"));
    private final List<String> one = new ArrayList<>(List.of("a"));
    private final List<String> other = new ArrayList<>(List.of("a"));
    private int step;

    private void meet() {
        Steps.done(++step);
        Steps.await(++step);
    }

    // finding: modelled.StepsOfIterations.overVector() non-atomic iteration
    // access: modelled.StepsOfIterations.overVector() read of Vector (field StepsOfIterations.vector) by hasMoreElements
    // access: modelled.StepsOfIterations.overVector() read of Vector (field StepsOfIterations.vector) by nextElement
    // access: modelled.StepsOfIterations.overVector() write of Vector (field StepsOfIterations.vector) by add
    // advice: modelled.StepsOfIterations.overVector() hold the lock that the methods of Vector take, synchronized (vector, or the whole list if that is a part of one), from
    // advice: modelled.StepsOfIterations.overVector() or make a copy under that lock, and iterate over the copy
    void overVector() {
        Enumeration<String> all = vector.elements();
        all.nextElement();
        meet();
        all.hasMoreElements();
    }

    // finding: modelled.StepsOfIterations.overList() non-atomic iteration
    // access: modelled.StepsOfIterations.overList() read of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by hasNext
    // access: modelled.StepsOfIterations.overList() read of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by next
    // access: modelled.StepsOfIterations.overList() write of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by add
    // advice: modelled.StepsOfIterations.overList() synchronized (guarded, or the whole list if that is a part of one), from
    void overList() {
        Iterator<String> all = guarded.iterator();
        all.next();
        meet();
        all.hasNext();
    }

    // finding: modelled.StepsOfIterations.overEntries() non-atomic iteration
    // access: modelled.StepsOfIterations.overEntries() read of HashMap (field StepsOfIterations.map) by next
    // access: modelled.StepsOfIterations.overEntries() write of HashMap (field StepsOfIterations.map) by put
    // advice: modelled.StepsOfIterations.overEntries() and the same lock around
    void overEntries() {
        Iterator<Map.Entry<String, Integer>> all = map.entrySet().iterator();
        all.next();
        meet();
        all.next();
    }

    // finding: modelled.StepsOfIterations.clearAfter() stale check-then-act on a collection
    // access: modelled.StepsOfIterations.clearAfter() read of Vector (field StepsOfIterations.vector) by next
    // access: modelled.StepsOfIterations.clearAfter() write of Vector (field StepsOfIterations.vector) by add
    // access: modelled.StepsOfIterations.clearAfter() write of Vector (field StepsOfIterations.vector) by clear
    void clearAfter() {
        vector.iterator().next();
        meet();
        vector.clear();
    }

    // finding: modelled.StepsOfIterations.addOnce() stale check-then-act on a collection
    // access: modelled.StepsOfIterations.addOnce() read of CopyOnWriteArrayList (field StepsOfIterations.copied) by contains
    // access: modelled.StepsOfIterations.addOnce() write of CopyOnWriteArrayList (field StepsOfIterations.copied) by add
    // advice: modelled.StepsOfIterations.addOnce() addIfAbsent does in one step
    void addOnce() {
        if (!copied.contains("x")) {
            meet();
            copied.add("x");
        }
    }

    // finding: modelled.StepsOfIterations.addToSet() stale check-then-act on a collection
    // access: modelled.StepsOfIterations.addToSet() read of TreeSet (field StepsOfIterations.set) by contains
    // access: modelled.StepsOfIterations.addToSet() write of TreeSet (field StepsOfIterations.set) by add
    // advice: modelled.StepsOfIterations.addToSet() add alone, which returns false if it was there, of a ConcurrentSkipListSet in place of TreeSet
    void addToSet() {
        if (!set.contains("x")) {
            meet();
            set.add("y");
        }
    }

    // finding: modelled.StepsOfIterations.takeLast() stale check-then-act on a collection
    // access: modelled.StepsOfIterations.takeLast() read of ArrayDeque (field StepsOfIterations.deque) by isEmpty
    // access: modelled.StepsOfIterations.takeLast() write of ArrayDeque (field StepsOfIterations.deque) by add
    // access: modelled.StepsOfIterations.takeLast() write of ArrayDeque (field StepsOfIterations.deque) by pollLast
    // advice: modelled.StepsOfIterations.takeLast() pollLast alone, which returns null if there is nothing, of a ConcurrentLinkedDeque in place of ArrayDeque
    void takeLast() {
        if (!deque.isEmpty()) {
            meet();
            deque.pollLast();
        }
    }

    // finding: modelled.StepsOfIterations.getLast() stale check-then-act on a collection
    // access: modelled.StepsOfIterations.getLast() read of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by get
    // access: modelled.StepsOfIterations.getLast() read of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by size
    // access: modelled.StepsOfIterations.getLast() write of Collections$SynchronizedRandomAccessList (field StepsOfIterations.guarded) by add
    // advice: modelled.StepsOfIterations.getLast() hold the lock that the methods of Collections$SynchronizedRandomAccessList take, synchronized (guarded, or the whole list if that is a part of one), from
    void getLast() {
        int size = guarded.size();
        meet();
        guarded.get(size - 1);
    }

    // finding: modelled.StepsOfIterations.either(boolean) lost update by get and set
    // access: modelled.StepsOfIterations.either(boolean) read of ArrayList by get
    // access: modelled.StepsOfIterations.either(boolean) write of ArrayList by add
    // access: modelled.StepsOfIterations.either(boolean) write of ArrayList by set
    void either(boolean isOne) {
        // It is not known which of two fields it is.
        List<String> list = isOne ? one : other;
        list.get(0);
        meet();
        list.set(0, "c");
    }

    // Atomic: in one call, or under the lock that the calls of others take.
    void addIfAbsent() {
        copied.addIfAbsent("z");
        meet();
    }

    int overCopy() {
        int sum = 0;
        Object[] copy = guarded.toArray();
        meet();
        for (Object name : copy) {
            sum += name.hashCode();
        }
        return sum;
    }

    private static void change(Collection<String> collection) {
        collection.add("changed");
    }

    public static void main(String[] args) throws InterruptedException {
        StepsOfIterations p = new StepsOfIterations();
        List<Runnable> methods = List.of(p::overVector, p::overList, p::overEntries, p::clearAfter, p::addOnce, p::addToSet, p::takeLast, p::getLast,
            () -> p.either(true), p::addIfAbsent, p::overCopy);
        List<Runnable> others = List.of(() -> p.vector.add("c"), () -> p.guarded.add("c"), () -> p.map.put("a", 3), () -> p.vector.add("d"),
            () -> p.copied.add("x"), () -> p.set.add("x"), () -> p.deque.add("b"), () -> p.guarded.add("d"), () -> change(p.one), () -> p.copied.add("y"),
            () -> p.guarded.add("e"));
        Steps.run(() -> methods.forEach(Runnable::run), () -> {
            for (int i = 0; i < others.size(); i++) {
                Steps.await(2 * i + 1);
                others.get(i).run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println(p.copied + " " + p.vector + p.one);
    }
}
