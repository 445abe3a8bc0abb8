package rare;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A future that is completed by each thread that finds it not done. */
// no candidate: that a future is done orders its completion before what finds it done, so no candidate has both
public final class Promise {
    private Promise() {
    }

    public static final class Wrong extends Pair {
        private final CompletableFuture<String> future = new CompletableFuture<>();
        private final AtomicInteger completed = new AtomicInteger();

        @Override
        public void one() {
            if (!future.isDone()) {
                future.complete("done");
                completed.incrementAndGet();
            }
        }

        @Override
        public boolean isRight() {
            return completed.get() == 1;
        }
    }

    public static final class Right extends Pair {
        private final CompletableFuture<String> future = new CompletableFuture<>();
        private final AtomicInteger completed = new AtomicInteger();

        @Override
        public void one() {
            if (future.complete("done")) {
                completed.incrementAndGet();
            }
        }

        @Override
        public boolean isRight() {
            return completed.get() == 1;
        }
    }
}
