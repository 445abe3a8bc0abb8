package violating;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import schedule.Steps;

/**
 * A synchronized list whose size is asked for, and whose last element is fetched, in two steps.
 */
public class SynchronizedListIteration {
    private final List<String> names = Collections.synchronizedList(new ArrayList<>(List.of("a", "b")));

    // finding: violating.SynchronizedListIteration.last() unrepeatable read
    String last() {
        int size = names.size();
        Steps.done(1);
        Steps.await(2);
        return names.get(Math.min(size, names.size()) - 1);
    }

    public static void main(String[] args) throws InterruptedException {
        SynchronizedListIteration list = new SynchronizedListIteration();
        Steps.run(() -> System.out.println(list.last()), () -> {
            Steps.await(1);
            list.names.remove(1);
            Steps.done(2);
        });
    }
}
