package atomic;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import schedule.Steps;

/**
 * What goes one way orders nothing back: an answer that was given before; a full queue takes nothing; and of one object that two threads
 * have put nobody knows whose it was.
 */
public class QueueOneWay {
    private static final Object SAME = new Object();

    private final Queue<Object> first = new ConcurrentLinkedQueue<>();
    private final Queue<Object> second = new ConcurrentLinkedQueue<>();
    private final Queue<Object> full = new ArrayBlockingQueue<>(1);

    boolean early() {
        Steps.done(1);
        Steps.await(2);
        return second.poll() != null && first.offer("late");
    }

    boolean refused() {
        boolean isTaken = full.offer(SAME);
        Steps.done(3);
        Steps.await(4);
        return isTaken | second.poll() == null;
    }

    boolean same() {
        first.add(SAME);
        Steps.done(5);
        Steps.await(6);
        return second.poll() == null;
    }

    public static void main(String[] args) throws InterruptedException {
        QueueOneWay queues = new QueueOneWay();
        Steps.run(() -> System.out.println(queues.early() + " " + queues.refused() + " " + queues.same()), () -> {
            Steps.await(1);
            queues.second.offer("early");
            queues.full.offer(SAME);
            Steps.done(2);
            Steps.await(3);
            queues.second.offer("after the refusal");
            Steps.done(4);
            queues.first.poll();
            queues.first.add(SAME);
            System.out.println(queues.full.poll() == SAME);
            Steps.await(5);
            System.out.println(queues.first.poll() == SAME);
            queues.second.offer("answer");
            Steps.done(6);
        });
    }
}
