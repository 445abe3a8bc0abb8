package rare;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Tasks of an executor, for which somebody waits only so long. */
public final class Timeouts {
    private Timeouts() {
    }

    private abstract static class InTasks extends Pair {
        @Override
        public final void together(Runnable one, Runnable other) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            boolean isLate = pool.invokeAll(List.of(Executors.callable(one), Executors.callable(other)), 10, TimeUnit.SECONDS).stream()
                    .anyMatch(java.util.concurrent.Future::isCancelled);
            pool.shutdown();
            if (isLate || !pool.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a task took more than ten seconds");
            }
        }
    }

    public static final class Wrong extends InTasks {
        private int free = 1;

        private synchronized boolean isFree() {
            return free > 0;
        }

        private synchronized void take() {
            free--;
        }

        @Override
        public void one() {
            if (isFree()) {
                take();
            }
        }

        @Override
        public boolean isRight() {
            return free == 0;
        }
    }

    public static final class Right extends InTasks {
        private int free = 1;

        private synchronized boolean isFree() {
            return free > 0;
        }

        private synchronized void take() {
            free--;
        }

        @Override
        public synchronized void one() {
            if (isFree()) {
                take();
            }
        }

        @Override
        public boolean isRight() {
            return free == 0;
        }
    }
}
