package violating;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import schedule.Flag;

/**
 * Methods that wait for tasks of a fork-join pool in other ways than by their results, and for what a delay or a timeout does.
 */
public class ForkedTasksInside {
    private final ForkJoinPool pool = new ForkJoinPool(2);
    private final int[] counts = new int[4];

    /** Two tasks that must run at the same time, so that the caller cannot run both. */
    // waits inside: violating.ForkedTasksInside.all()
    int all() {
        Flag one = new Flag();
        Flag other = new Flag();
        List<Callable<Integer>> tasks = List.of(() -> {
            one.set();
            other.await();
            return ++counts[0];
        }, () -> {
            other.set();
            one.await();
            return ++counts[1];
        });
        return pool.invokeAll(tasks).size();
    }

    // waits inside: violating.ForkedTasksInside.quietly()
    boolean quietly() {
        ForkJoinTask<Integer> task = pool.submit(() -> ++counts[2]);
        task.quietlyJoin();
        return task.isCompletedNormally();
    }

    // waits inside: violating.ForkedTasksInside.failing()
    String failing() {
        ForkJoinTask<?> task = pool.submit((Runnable) () -> {
            throw new IllegalStateException("failed");
        });
        try {
            task.join();
            return "";
        } catch (IllegalStateException e) {
            return task.getException().getClass().getSimpleName();
        }
    }

    // waits inside: violating.ForkedTasksInside.delayed()
    int delayed() throws Exception {
        return CompletableFuture.supplyAsync(() -> ++counts[3], CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, pool)).get();
    }

    // waits inside: violating.ForkedTasksInside.timed()
    int timed() {
        return new CompletableFuture<Integer>().completeOnTimeout(3, 1, TimeUnit.MILLISECONDS).join();
    }

    public static void main(String[] args) throws Exception {
        ForkedTasksInside p = new ForkedTasksInside();
        System.out.println(p.all() + " " + p.quietly() + " " + p.failing() + " " + p.delayed() + " " + p.timed());
        p.pool.shutdown();
    }
}
