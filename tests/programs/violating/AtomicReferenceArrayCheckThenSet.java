package violating;

import java.util.concurrent.atomic.AtomicReferenceArray;
import schedule.Steps;

/**
 * An empty element is filled in two steps.
 */
public class AtomicReferenceArrayCheckThenSet {
    private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(2);

    // finding: violating.AtomicReferenceArrayCheckThenSet.fill(int,java.lang.String) lost update by get and set
    void fill(int at, String name) {
        if (names.get(at) == null) {
            Steps.done(1);
            Steps.await(2);
            names.set(at, name);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicReferenceArrayCheckThenSet p = new AtomicReferenceArrayCheckThenSet();
        Steps.run(() -> p.fill(0, "first"), () -> {
            Steps.await(1);
            p.names.compareAndSet(0, null, "second");
            Steps.done(2);
        });
        System.out.println(p.names);
    }
}
