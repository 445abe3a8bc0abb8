package violating;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.IntStream;

/**
 * The first class that needs the platform's {@code ForkJoinTask} is one of the program: the platform's class is loaded where this one is looked at.
 */
public class TaskNeededFirst {
    /** Adds up a range, a half of it in another task. */
    static class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;
        /** What is added up. */
        private int[] counts = new int[64];

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) {
                return ++counts[from];
            }
            Sum one = new Sum(from, (from + to) / 2);
            Sum other = new Sum((from + to) / 2, to);
            one.counts = counts;
            other.counts = counts;
            one.fork();
            return other.compute() + one.join();
        }

        boolean isEmpty() {
            return from == to;
        }
    }

    /** Only here is the pool needed. */
    static class Pools {
        private final ForkJoinPool pool = new ForkJoinPool(1);

        // waits inside: violating.TaskNeededFirst$Pools.invoked()
        int invoked() {
            return pool.invoke(new Sum(0, 1));
        }

        // waits inside: violating.TaskNeededFirst$Pools.submitted()
        int submitted() throws Exception {
            return pool.submit(() -> 5).get();
        }

        // waits inside: violating.TaskNeededFirst$Pools.streamed()
        int streamed() throws Exception {
            return pool.submit(() -> IntStream.range(0, 64).parallel().sum()).get();
        }
    }

    public static void main(String[] args) throws Exception {
        Sum first = new Sum(0, 0);
        System.out.println(first.isEmpty());
        Pools pools = new Pools();
        System.out.println(pools.invoked() + " " + pools.submitted() + " " + pools.streamed());
    }
}
