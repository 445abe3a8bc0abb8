package atomic;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import schedule.Steps;

/**
 * Elements that are taken in bulk go one way; a constant that two threads have given names nobody; a collection that refuses.
 */
public class QueueDrainedOnce {
    private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    int take(Collection<String> into) {
        return queue.drainTo(into);
    }

    int giveAndTake() {
        queue.add("constant");
        Steps.done(1);
        Steps.await(2);
        List<String> all = new ArrayList<>();
        queue.drainTo(all, 1);
        return all.size();
    }

    boolean isRefused() {
        queue.add("last");
        try {
            queue.drainTo(List.of());
            return false;
        } catch (UnsupportedOperationException e) {
            return true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        QueueDrainedOnce p = new QueueDrainedOnce();
        Steps.run(p::giveAndTake, () -> {
            Steps.await(1);
            p.queue.add("constant");
            Steps.done(2);
        });
        System.out.println(p.isRefused() + " " + p.take(new LinkedHashSet<>()));
    }
}
