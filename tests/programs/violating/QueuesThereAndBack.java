package violating;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import schedule.Steps;

/**
 * An element goes to another thread, and that thread's answer comes back, inside one method.
 */
public class QueuesThereAndBack {
    private final Queue<String> linkedBlockingQueue = new LinkedBlockingQueue<>();
    private final Queue<String> linkedBlockingQueueBack = new LinkedBlockingQueue<>();
    private final Queue<String> linkedBlockingDeque = new LinkedBlockingDeque<>();
    private final Queue<String> linkedBlockingDequeBack = new LinkedBlockingDeque<>();
    private final Queue<String> concurrentLinkedDeque = new ConcurrentLinkedDeque<>();
    private final Queue<String> concurrentLinkedDequeBack = new ConcurrentLinkedDeque<>();
    private final Queue<String> priorityBlockingQueue = new PriorityBlockingQueue<>();
    private final Queue<String> priorityBlockingQueueBack = new PriorityBlockingQueue<>();
    private final Queue<String> linkedTransferQueue = new LinkedTransferQueue<>();
    private final Queue<String> linkedTransferQueueBack = new LinkedTransferQueue<>();

    // finding: violating.QueuesThereAndBack.byLinkedBlockingQueue() interference
    String byLinkedBlockingQueue() {
        linkedBlockingQueue.offer("there");
        Steps.done(1);
        Steps.await(2);
        return linkedBlockingQueueBack.poll();
    }

    // finding: violating.QueuesThereAndBack.byLinkedBlockingDeque() interference
    String byLinkedBlockingDeque() {
        linkedBlockingDeque.offer("there");
        Steps.done(3);
        Steps.await(4);
        return linkedBlockingDequeBack.poll();
    }

    // finding: violating.QueuesThereAndBack.byConcurrentLinkedDeque() interference
    String byConcurrentLinkedDeque() {
        concurrentLinkedDeque.offer("there");
        Steps.done(5);
        Steps.await(6);
        return concurrentLinkedDequeBack.poll();
    }

    // finding: violating.QueuesThereAndBack.byPriorityBlockingQueue() interference
    String byPriorityBlockingQueue() {
        priorityBlockingQueue.offer("there");
        Steps.done(7);
        Steps.await(8);
        return priorityBlockingQueueBack.poll();
    }

    // finding: violating.QueuesThereAndBack.byLinkedTransferQueue() interference
    String byLinkedTransferQueue() {
        linkedTransferQueue.offer("there");
        Steps.done(9);
        Steps.await(10);
        return linkedTransferQueueBack.poll();
    }

    public static void main(String[] args) throws InterruptedException {
        QueuesThereAndBack p = new QueuesThereAndBack();
        Steps.run(() -> {
            p.byLinkedBlockingQueue();
            p.byLinkedBlockingDeque();
            p.byConcurrentLinkedDeque();
            p.byPriorityBlockingQueue();
            p.byLinkedTransferQueue();
        }, () -> {
            Steps.await(1);
            p.linkedBlockingQueueBack.add("back, " + p.linkedBlockingQueue.remove());
            Steps.done(2);
            Steps.await(3);
            p.linkedBlockingDequeBack.add("back, " + p.linkedBlockingDeque.remove());
            Steps.done(4);
            Steps.await(5);
            p.concurrentLinkedDequeBack.add("back, " + p.concurrentLinkedDeque.remove());
            Steps.done(6);
            Steps.await(7);
            p.priorityBlockingQueueBack.add("back, " + p.priorityBlockingQueue.remove());
            Steps.done(8);
            Steps.await(9);
            p.linkedTransferQueueBack.add("back, " + p.linkedTransferQueue.remove());
            Steps.done(10);
        });
        System.out.println(p.linkedBlockingQueue);
    }
}
