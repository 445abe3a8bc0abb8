package atomic;

import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicStampedReference;
import schedule.Steps;

/**
 * Reference and mark are read at once; an exchange that fails only reads.
 */
public class MarkedReferences {
    private final AtomicMarkableReference<String> marked = new AtomicMarkableReference<>("a", false);
    private final AtomicStampedReference<String> stamped = new AtomicStampedReference<>("a", 0);

    String both() {
        boolean[] mark = new boolean[1];
        return marked.get(mark) + mark[0];
    }

    boolean twice() {
        boolean first = stamped.compareAndSet("x", "y", 1, 2);
        Steps.done(1);
        Steps.await(2);
        return first | stamped.attemptStamp("x", 3);
    }

    public static void main(String[] args) throws InterruptedException {
        MarkedReferences p = new MarkedReferences();
        Steps.run(() -> {
            p.both();
            p.twice();
        }, () -> {
            Steps.await(1);
            p.marked.set("b", true);
            p.stamped.compareAndSet("x", "z", 1, 2);
            Steps.done(2);
        });
        System.out.println(p.both() + p.stamped.getStamp());
    }
}
