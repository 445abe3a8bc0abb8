package violating;

import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Methods that give a task away and wait for its result: what the other thread does lies between their begin and their end.
 */
public class TasksInside {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    private final ForkJoinPool forks = new ForkJoinPool(1);
    private final Timer timer = new Timer(true);

    /** A task of a fork-join pool. */
    static class Answer extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;

        @Override
        protected Integer compute() {
            return 42;
        }
    }

    // waits inside: violating.TasksInside.submitted()
    int submitted() throws Exception {
        return pool.submit(() -> 1).get();
    }

    // waits inside: violating.TasksInside.failing()
    String failing() throws InterruptedException {
        try {
            return pool.submit((Callable<String>) () -> {
                throw new IllegalStateException("failed");
            }).get();
        } catch (java.util.concurrent.ExecutionException e) {
            return e.getCause().getMessage();
        }
    }

    // waits inside: violating.TasksInside.ownFuture()
    int ownFuture() throws Exception {
        FutureTask<Integer> future = new FutureTask<>(() -> 2);
        pool.execute(future);
        return future.get(1, TimeUnit.HOURS);
    }

    // waits inside: violating.TasksInside.all()
    int all() throws Exception {
        return pool.invokeAll(List.of(() -> 3, () -> 4)).size();
    }

    // waits inside: violating.TasksInside.scheduled()
    int scheduled() throws Exception {
        return scheduler.schedule(() -> 5, 1, TimeUnit.MILLISECONDS).get();
    }

    // waits inside: violating.TasksInside.timed()
    int timed() throws Exception {
        CompletableFuture<Integer> done = new CompletableFuture<>();
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                done.complete(6);
            }
        }, 1);
        return done.get();
    }

    // waits inside: violating.TasksInside.supplied()
    int supplied() {
        return CompletableFuture.supplyAsync(() -> 7, pool).thenApply(n -> n + 1).join();
    }

    // waits inside: violating.TasksInside.suppliedByForks()
    int suppliedByForks() {
        return CompletableFuture.supplyAsync(() -> 9, forks).join();
    }

    // waits inside: violating.TasksInside.forked()
    int forked() {
        return forks.invoke(new Answer());
    }

    // waits inside: violating.TasksInside.joined()
    int joined() {
        return forks.submit(new Answer()).join();
    }

    public static void main(String[] args) throws Exception {
        TasksInside tasks = new TasksInside();
        System.out.println(tasks.submitted() + tasks.failing() + tasks.ownFuture() + tasks.all() + tasks.scheduled() + tasks.timed());
        System.out.println(tasks.supplied() + " " + tasks.suppliedByForks() + " " + tasks.forked() + tasks.joined());
        tasks.pool.shutdown();
        tasks.scheduler.shutdown();
        tasks.forks.shutdown();
    }
}
