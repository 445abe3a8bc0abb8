package atomic;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * One method gives the task away, another takes its result; a future that two threads complete; a task that is refused.
 */
public class TasksApart {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private int count;

    Future<Integer> start(int n) {
        return pool.submit(() -> {
            count += n;
            return count;
        });
    }

    int finish(Future<Integer> future) throws Exception {
        return future.get() + count;
    }

    boolean complete(CompletableFuture<Integer> future, int n) {
        return future.complete(n) | future.complete(n + 1);
    }

    CompletableFuture<Integer> combine(CompletableFuture<Integer> one, CompletableFuture<Integer> other) {
        return one.thenCombineAsync(other, Integer::sum, pool);
    }

    boolean refuse() {
        try {
            pool.execute(() -> count++);
            return false;
        } catch (RejectedExecutionException e) {
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        TasksApart tasks = new TasksApart();
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += tasks.finish(tasks.start(i));
        }
        CompletableFuture<Integer> future = new CompletableFuture<>();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> tasks.complete(future, 1), tasks.pool);
        CompletableFuture<Integer> combined = tasks.combine(future, CompletableFuture.supplyAsync(() -> 5, tasks.pool));
        // Inside one method the answer could come back: main is none.
        sum += combined.thenCompose(n -> CompletableFuture.supplyAsync(() -> n + 1, tasks.pool)).join();
        other.join();
        // Two workers can wake each other, and the one that ends interrupts the other, while this looks at both.
        tasks.pool.shutdown();
        System.out.println(sum + " " + tasks.complete(future, 3) + " " + tasks.refuse());
    }
}
