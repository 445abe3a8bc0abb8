package violating;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Methods that give several tasks away and wait for their results; or for one of them; or for a stream whose elements other threads
 * look at.
 */
public class BulkTasksInside {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private final ForkJoinPool forks = new ForkJoinPool(2);
    private int start;

    /** Reads what the caller has written. */
    private final Callable<Integer> task = () -> start + 1;

    // waits inside: violating.BulkTasksInside.all()
    int all() throws Exception {
        start = 1;
        int sum = 0;
        for (Future<Integer> future : pool.invokeAll(List.of(task, task))) {
            sum += future.get();
        }
        return sum;
    }

    // waits inside: violating.BulkTasksInside.any()
    int any() throws Exception {
        start = 2;
        return pool.invokeAny(List.of(task, task));
    }

    // waits inside: violating.BulkTasksInside.allInForks()
    int allInForks() throws Exception {
        start = 3;
        return forks.invokeAll(List.of(task)).get(0).get();
    }

    // waits inside: violating.BulkTasksInside.stream()
    int stream() {
        start = 4;
        return forks.submit(() -> IntStream.range(0, 64).parallel().map(i -> start + i).sum()).join();
    }

    public static void main(String[] args) throws Exception {
        BulkTasksInside tasks = new BulkTasksInside();
        System.out.println(tasks.all() + " " + tasks.any() + " " + tasks.allInForks() + " " + tasks.stream());
        tasks.pool.shutdown();
        tasks.forks.shutdown();
    }
}
