package violating;

import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import schedule.Steps;

/**
 * A method looks at a queue and then relies on what it has seen; meanwhile another thread, which does not look, changes the queue.
 */
public class QueueCheckThenAct {
    private final Queue<String> jobs = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<String> few = new LinkedBlockingQueue<>(2);
    private final Queue<String> names = new ConcurrentLinkedQueue<>();
    private final Queue<String> last = new LinkedBlockingQueue<>();
    private final Queue<String> waiting = new ConcurrentLinkedQueue<>();

    // finding: violating.QueueCheckThenAct.next() stale check-then-act on a collection
    String next() {
        boolean hasNext = !jobs.isEmpty();
        Steps.done(1);
        Steps.await(2);
        return hasNext ? jobs.remove() : null;
    }

    // finding: violating.QueueCheckThenAct.removesPeeked() stale check-then-act on a collection
    boolean removesPeeked() {
        String head = jobs.peek();
        Steps.done(3);
        Steps.await(4);
        return head.equals(jobs.poll());
    }

    // finding: violating.QueueCheckThenAct.addsToFew() stale check-then-act on a collection
    void addsToFew() {
        boolean hasRoom = few.remainingCapacity() > 0;
        Steps.done(5);
        Steps.await(6);
        if (hasRoom) {
            few.offer("mine");
        }
    }

    // finding: violating.QueueCheckThenAct.addsName() stale check-then-act on a collection
    void addsName() {
        boolean isKnown = names.contains("n");
        Steps.done(7);
        Steps.await(8);
        if (!isKnown) {
            names.add("n");
        }
    }

    // finding: violating.QueueCheckThenAct.failsToTake() stale check-then-act on a collection
    String failsToTake() {
        boolean hasNext = !last.isEmpty();
        Steps.done(9);
        Steps.await(10);
        return hasNext ? last.remove() : null;
    }

    // finding: violating.QueueCheckThenAct.addsFirst() stale check-then-act on a collection
    void addsFirst() {
        boolean isFirst = waiting.peek() == null;
        Steps.done(11);
        Steps.await(12);
        if (isFirst) {
            waiting.add("mine");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        QueueCheckThenAct p = new QueueCheckThenAct();
        for (int i = 0; i < 9; i++) {
            p.jobs.add("job " + i);
        }
        p.last.add("last");
        Steps.run(() -> {
            System.out.println(p.next() + " " + p.removesPeeked());
            p.addsToFew();
            p.addsName();
            try {
                System.out.println(p.failsToTake());
            } catch (NoSuchElementException e) {
                System.out.println("nothing");
            }
            p.addsFirst();
        }, () -> {
            Steps.await(1);
            p.jobs.poll();
            Steps.done(2);
            Steps.await(3);
            p.jobs.poll();
            Steps.done(4);
            Steps.await(5);
            p.few.add("other");
            Steps.done(6);
            Steps.await(7);
            p.names.add("n");
            Steps.done(8);
            Steps.await(9);
            p.last.poll();
            Steps.done(10);
            Steps.await(11);
            p.waiting.add("other");
            Steps.done(12);
        });
        System.out.println(p.few + " " + p.names + " " + p.waiting);
    }
}
