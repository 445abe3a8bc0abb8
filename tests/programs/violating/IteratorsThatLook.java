package violating;

import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import schedule.Steps;

/**
 * Iterators that look at the collection again to know whether there is more, and snapshots of a collection that are made one after
 * the other, with a change in between.
 */
public class IteratorsThatLook {
    private final List<String> arrayList = new ArrayList<>(List.of("a"));
    private final List<String> linkedList = new LinkedList<>(List.of("a"));
    private final Vector<String> vector = new Vector<>(List.of("a"));
    private final PriorityQueue<String> queue = new PriorityQueue<>(List.of("a"));
    private final List<String> copies = new CopyOnWriteArrayList<>(List.of("a"));

    // finding: violating.IteratorsThatLook.inArrayList() non-atomic iteration
    boolean inArrayList() {
        Iterator<String> each = arrayList.iterator();
        each.next();
        Steps.done(1);
        Steps.await(2);
        return each.hasNext();
    }

    // finding: violating.IteratorsThatLook.inLinkedList() non-atomic iteration
    boolean inLinkedList() {
        Iterator<String> each = linkedList.iterator();
        each.next();
        Steps.done(3);
        Steps.await(4);
        return each.hasNext();
    }

    // finding: violating.IteratorsThatLook.inVector() non-atomic iteration
    boolean inVector() {
        Enumeration<String> each = vector.elements();
        each.nextElement();
        Steps.done(5);
        Steps.await(6);
        return each.hasMoreElements();
    }

    // finding: violating.IteratorsThatLook.inQueue() non-atomic iteration
    boolean inQueue() {
        Iterator<String> each = queue.iterator();
        each.next();
        Steps.done(7);
        Steps.await(8);
        return each.hasNext();
    }

    // finding: violating.IteratorsThatLook.twoSnapshots() unrepeatable read
    boolean twoSnapshots() {
        Iterator<String> before = copies.iterator();
        Steps.done(9);
        Steps.await(10);
        Iterator<String> after = copies.listIterator();
        return before.next().equals(after.next());
    }

    // finding: violating.IteratorsThatLook.twoOfAPart() unrepeatable read
    boolean twoOfAPart() {
        Iterator<String> before = copies.subList(0, 1).iterator();
        Steps.done(11);
        Steps.await(12);
        Iterator<String> after = copies.subList(0, 1).iterator();
        return before.next().equals(after.next());
    }

    public static void main(String[] args) throws InterruptedException {
        IteratorsThatLook p = new IteratorsThatLook();
        StringBuilder seen = new StringBuilder();
        Steps.run(() -> {
            seen.append(p.inArrayList()).append(p.inLinkedList()).append(p.inVector()).append(p.inQueue());
            seen.append(p.twoSnapshots()).append(p.twoOfAPart());
        }, () -> {
            Runnable[] changes = {
                () -> p.arrayList.add("b"), () -> p.linkedList.add("b"), () -> p.vector.add("b"), () -> p.queue.add("b"),
                () -> p.copies.set(0, "b"), () -> p.copies.set(0, "c"),
            };
            for (int i = 0; i < changes.length; i++) {
                Steps.await(2 * i + 1);
                changes[i].run();
                Steps.done(2 * i + 2);
            }
        });
        System.out.println(seen);
    }
}
