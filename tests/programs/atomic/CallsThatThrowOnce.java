package atomic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import schedule.Steps;

/**
 * A call that throws has looked at the collection, once; and an exception that comes from elsewhere is no look at one.
 */
public class CallsThatThrowOnce {
    private final List<String> jobs = Collections.synchronizedList(new ArrayList<>(List.of("a")));
    private final List<String> names = Collections.synchronizedList(new ArrayList<>(List.of("a")));

    // The other thread takes the job out before, and puts one in after.
    void takeJob() {
        Steps.await(1);
        jobs.remove(0);
    }

    // The look at the list has returned when the other thread changes it.
    int name(int[] numbers) {
        int length = names.get(0).length();
        Steps.done(3);
        Steps.await(4);
        return numbers[length];
    }

    private static void fails(Runnable block) {
        try {
            block.run();
            System.out.println("it has not failed");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass().getName());
        }
    }

    public static void main(String[] args) throws InterruptedException {
        CallsThatThrowOnce p = new CallsThatThrowOnce();
        Steps.run(() -> {
            fails(p::takeJob);
            Steps.done(2);
            fails(() -> p.name(new int[1]));
        }, () -> {
            p.jobs.clear();
            Steps.done(1);
            Steps.await(2);
            p.jobs.add("b");
            Steps.await(3);
            p.names.clear();
            Steps.done(4);
        });
    }
}
