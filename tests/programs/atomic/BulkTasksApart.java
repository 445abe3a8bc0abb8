package atomic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tasks each of which is one short method, given away together, and the steps of a parallel stream: nothing comes between, and it does not
 * matter which threads run them.
 */
public class BulkTasksApart {
    private int count;

    synchronized int next() {
        return ++count;
    }

    static int square(int n) {
        return n * n;
    }

    public static void main(String[] args) throws Exception {
        BulkTasksApart p = new BulkTasksApart();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tasks.add(p::next);
        }
        int sum = 0;
        for (Future<Integer> future : pool.invokeAll(tasks)) {
            sum += future.get();
        }
        boolean isOne = pool.invokeAny(tasks) > 8;
        pool.shutdown();
        System.out.println(sum + " " + isOne);
        ForkJoinPool forks = new ForkJoinPool(2);
        for (Future<Integer> future : forks.invokeAll(tasks)) {
            sum += Math.min(future.get(), 1);
        }
        System.out.println(sum);
        System.out.println(forks.submit(() -> IntStream.range(0, 100).parallel().map(BulkTasksApart::square).sum()).get());
        System.out.println(List.of(3, 1, 2).parallelStream().map(BulkTasksApart::square).sorted().collect(Collectors.toList()));
        forks.shutdown();
    }
}
