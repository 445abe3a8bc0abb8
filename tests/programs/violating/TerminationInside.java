package violating;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * Methods that give tasks away and wait until the executor has done them all, or until a fork-join pool has done one.
 */
public class TerminationInside {
    private final int[] results = new int[4];

    // waits inside: violating.TerminationInside.ends()
    boolean ends() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 4; i++) {
            int at = i;
            pool.execute(() -> results[at] = at);
        }
        pool.shutdown();
        return pool.awaitTermination(1, TimeUnit.HOURS) && pool.isTerminated();
    }

    // waits inside: violating.TerminationInside.runs(java.util.concurrent.ForkJoinPool)
    int runs(ForkJoinPool pool) throws Exception {
        pool.submit(() -> System.out.println("runs")).get();
        return pool.submit(() -> 5).get();
    }

    public static void main(String[] args) throws Exception {
        TerminationInside p = new TerminationInside();
        System.out.println(p.ends() + " " + p.results[3]);
        ForkJoinPool pool = new ForkJoinPool(1);
        System.out.println(p.runs(pool));
        pool.shutdown();
    }
}
