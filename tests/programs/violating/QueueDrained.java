package violating;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import schedule.Steps;

/**
 * Elements go to another thread and come back in bulk, inside one method.
 */
public class QueueDrained {
    private final class Trip {
        private final BlockingQueue<String> requests;
        private final BlockingQueue<String> replies;

        Trip(BlockingQueue<String> requests, BlockingQueue<String> replies) {
            this.requests = requests;
            this.replies = replies;
        }

        // finding: violating.QueueDrained$Trip.ask(int) interference
        int ask(int turn) {
            requests.offer("request" + turn);
            Steps.done(turn + 1);
            Steps.await(turn + 2);
            List<String> all = new ArrayList<>();
            replies.drainTo(all);
            return all.size();
        }

        private void answer(int turn) {
            Steps.await(turn + 1);
            List<String> all = new ArrayList<>();
            requests.drainTo(all, 1);
            replies.offer("reply to " + all);
            Steps.done(turn + 2);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        QueueDrained p = new QueueDrained();
        Trip first = p.new Trip(new ArrayBlockingQueue<>(2), new LinkedBlockingQueue<>());
        Trip second = p.new Trip(new LinkedBlockingDeque<>(), new PriorityBlockingQueue<>());
        Trip third = p.new Trip(new LinkedTransferQueue<>(), new LinkedTransferQueue<>());
        Steps.run(() -> System.out.println(first.ask(0) + second.ask(2) + third.ask(4)), () -> {
            first.answer(0);
            second.answer(2);
            third.answer(4);
        });
    }
}
