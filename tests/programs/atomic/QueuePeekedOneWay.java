package atomic;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingDeque;
import schedule.Steps;

/**
 * The head of a queue was put there before the method that looks at it; and an element that is equal to another one may not be the one
 * that was given.
 */
public class QueuePeekedOneWay {
    private final Queue<String> queue = new ConcurrentLinkedQueue<>();
    private final LinkedBlockingDeque<String> names = new LinkedBlockingDeque<>();
    private final Queue<Object> empty = new ConcurrentLinkedQueue<>();
    private int value;

    int peeks() {
        int seen = queue.peek().length();
        value += seen;
        Steps.done(3);
        Steps.await(4);
        return queue.element().length() + value;
    }

    boolean removesEqual() {
        value = 5;
        Steps.done(5);
        Steps.await(6);
        return names.remove(new String("a"));
    }

    boolean removesNothing() {
        value = 6;
        Steps.done(7);
        Steps.await(8);
        return empty.remove(this) || empty.peek() != null;
    }

    private int look(int step) {
        Steps.await(step);
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        QueuePeekedOneWay p = new QueuePeekedOneWay();
        Steps.run(() -> {
            Steps.await(2);
            System.out.println(p.peeks() + " " + p.removesEqual() + " " + p.removesNothing());
        }, () -> {
            p.value = 1;
            p.queue.add("head");
            Steps.done(2);
            p.look(3);
            p.queue.add("next");
            Steps.done(4);
            p.look(5);
            p.names.add("a");
            p.empty.add("other");
            p.empty.remove();
            Steps.done(6);
            p.look(7);
            Steps.done(8);
        });
    }
}
