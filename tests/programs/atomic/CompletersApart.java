package atomic;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Parts of tasks and of parallel streams, also one inside another; what is done with their results comes after all of them.
 */
public class CompletersApart {
    /** The sum of a part of an array, or of all its parts. */
    static class Sum extends CountedCompleter<Integer> {
        private static final long serialVersionUID = 1;
        private final Sum[] parts;
        private final int[] of;
        private final int from;
        private int sum;

        Sum(Sum whole, Sum[] parts, int[] of, int from) {
            super(whole, Math.max(parts.length - 1, 0));
            this.parts = parts;
            this.of = of;
            this.from = from;
        }

        @Override
        public void compute() {
            for (int i = from; i < from + 16; i++) {
                sum += of[i];
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> last) {
            for (Sum part : parts) {
                sum += part.sum;
            }
        }

        @Override
        public Integer getRawResult() {
            return sum;
        }
    }

    static int square(int n) {
        return n * n;
    }

    public static void main(String[] args) throws Exception {
        int[] numbers = IntStream.range(0, 64).toArray();
        ForkJoinPool forks = new ForkJoinPool(2);
        int sum = forks.submit(() -> IntStream.range(0, 8).parallel().map(i -> IntStream.range(0, 16).parallel().map(CompletersApart::square).sum()).sum()).get();
        int[] squares = new int[numbers.length];
        forks.submit(() -> IntStream.range(0, squares.length).parallel().forEach(i -> squares[i] = square(i))).get();
        System.out.println(sum + " " + Arrays.stream(squares).sum());
        System.out.println(Arrays.stream(squares).parallel().boxed().reduce(0, Integer::sum) + " "
            + Arrays.stream(squares).parallel().boxed().collect(Collectors.groupingByConcurrent(n -> n % 2, ConcurrentHashMap::new, Collectors.counting())));
        Sum[] parts = new Sum[4];
        Sum whole = new Sum(null, parts, numbers, 0);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Sum(whole, new Sum[0], numbers, 16 * i);
        }
        for (Sum part : parts) {
            forks.execute(part);
        }
        System.out.println(whole.join());
        forks.shutdown();
    }
}
