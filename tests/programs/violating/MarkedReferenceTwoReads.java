package violating;

import java.util.concurrent.atomic.AtomicMarkableReference;
import schedule.Steps;

/**
 * Reference and mark are read in two steps, so they need not belong together.
 */
public class MarkedReferenceTwoReads {
    private final AtomicMarkableReference<String> name = new AtomicMarkableReference<>("a", false);

    // finding: violating.MarkedReferenceTwoReads.text() unrepeatable read
    String text() {
        String seen = name.getReference();
        Steps.done(1);
        Steps.await(2);
        return seen + name.isMarked();
    }

    public static void main(String[] args) throws InterruptedException {
        MarkedReferenceTwoReads p = new MarkedReferenceTwoReads();
        Steps.run(p::text, () -> {
            Steps.await(1);
            p.name.compareAndSet("a", "b", false, true);
            Steps.done(2);
        });
        System.out.println(p.name.getReference());
    }
}
