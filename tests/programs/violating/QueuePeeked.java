package violating;

import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import schedule.Steps;

/**
 * A method looks at the head of a queue, or takes an element out by its name: what the other thread did before it put it there lies between the
 * method's begin and its end.
 */
public class QueuePeeked {
    private final Queue<String> linked = new ConcurrentLinkedQueue<>();
    private final Queue<String> blocking = new LinkedBlockingQueue<>();
    private final LinkedBlockingDeque<String> deque = new LinkedBlockingDeque<>();
    private final ConcurrentLinkedDeque<Object> objects = new ConcurrentLinkedDeque<>();
    private final Object own = new Object();
    private int value;

    // finding: violating.QueuePeeked.peeks() interference
    String peeks() {
        value = 1;
        Steps.done(1);
        Steps.await(2);
        return linked.peek();
    }

    // finding: violating.QueuePeeked.asksForElement() interference
    String asksForElement() {
        value = 2;
        Steps.done(3);
        Steps.await(4);
        try {
            return blocking.element();
        } catch (NoSuchElementException e) {
            return "none";
        }
    }

    // finding: violating.QueuePeeked.peeksAtLast() interference
    String peeksAtLast() {
        value = 3;
        Steps.done(5);
        Steps.await(6);
        return deque.peekLast();
    }

    // finding: violating.QueuePeeked.getsFirst() interference
    String getsFirst() {
        value = 4;
        Steps.done(7);
        Steps.await(8);
        return deque.getFirst();
    }

    // finding: violating.QueuePeeked.removesObject() interference
    boolean removesObject() {
        value = 5;
        Steps.done(9);
        Steps.await(10);
        return objects.remove(own);
    }

    // finding: violating.QueuePeeked.removesLastOccurrence() interference
    boolean removesLastOccurrence() {
        value = 6;
        Steps.done(11);
        Steps.await(12);
        return objects.removeLastOccurrence(own);
    }

    private int look(int step) {
        Steps.await(step);
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        QueuePeeked p = new QueuePeeked();
        Steps.run(() -> {
            System.out.println(p.peeks() + p.asksForElement() + p.peeksAtLast() + p.getsFirst());
            System.out.println(p.removesObject() + " " + p.removesLastOccurrence());
        }, () -> {
            p.look(1);
            p.linked.add("a");
            Steps.done(2);
            p.look(3);
            p.blocking.add("b");
            Steps.done(4);
            p.look(5);
            p.deque.addLast("c");
            Steps.done(6);
            p.look(7);
            p.deque.push("d");
            Steps.done(8);
            p.look(9);
            p.objects.add(p.own);
            Steps.done(10);
            p.look(11);
            p.objects.add(p.own);
            Steps.done(12);
        });
    }
}
