package violating;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Exchanger;
import java.util.concurrent.SynchronousQueue;
import schedule.Steps;

/**
 * An element goes to another thread, and that thread's answer comes back, inside one method. What does not wait counts.
 */
public class QueueRoundTrip {
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> replies = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<String> slowRequests = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<String> slowReplies = new SynchronousQueue<>();
    private final Exchanger<String> exchanger = new Exchanger<>();

    // finding: violating.QueueRoundTrip.ask() interference
    String ask() {
        requests.add("request");
        Steps.done(1);
        Steps.await(2);
        return replies.poll();
    }

    // waits inside: violating.QueueRoundTrip.askAndWait()
    String askAndWait() throws InterruptedException {
        slowRequests.put("slow request");
        return slowReplies.take();
    }

    // waits inside: violating.QueueRoundTrip.exchangeTwice()
    String exchangeTwice() throws InterruptedException {
        return exchanger.exchange("first") + exchanger.exchange("second");
    }

    public static void main(String[] args) throws InterruptedException {
        QueueRoundTrip trip = new QueueRoundTrip();
        Steps.run(() -> {
            try {
                System.out.println(trip.ask() + trip.askAndWait() + trip.exchangeTwice());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, () -> {
            try {
                Steps.await(1);
                trip.replies.offer("reply to " + trip.requests.poll());
                Steps.done(2);
                trip.slowReplies.put("reply to " + trip.slowRequests.take());
                trip.exchanger.exchange("third");
                trip.exchanger.exchange("fourth");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
