package rare;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A parallel stream with a side effect. */
public final class Streams {
    private Streams() {
    }

    private abstract static class InStream extends Pair {
        @Override
        public final void together(Runnable one, Runnable other) throws Exception {
            ForkJoinPool pool = new ForkJoinPool(2);
            pool.submit(() -> IntStream.range(0, 2).parallel().forEach(i -> (i == 0 ? one : other).run())).get(30, TimeUnit.SECONDS);
            pool.shutdown();
        }
    }

    public static final class Wrong extends InStream {
        private volatile int sum;

        @Override
        public void one() {
            int now = sum;
            sum = now + 1;
        }

        @Override
        public boolean isRight() {
            return sum == 2;
        }
    }

    public static final class Right extends InStream {
        private int sum;

        @Override
        public synchronized void one() {
            int now = sum;
            sum = now + 1;
        }

        @Override
        public boolean isRight() {
            return sum == 2;
        }
    }
}
