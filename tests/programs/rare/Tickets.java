package rare;

import java.util.concurrent.atomic.AtomicInteger;

/** A number that is got and then set. */
public final class Tickets {
    private Tickets() {
    }

    public static final class Wrong extends Pair {
        private final AtomicInteger next = new AtomicInteger();

        @Override
        public void one() {
            int now = next.get();
            next.set(now + 1);
        }

        @Override
        public boolean isRight() {
            return next.get() == 2;
        }
    }

    public static final class Right extends Pair {
        private final AtomicInteger next = new AtomicInteger();

        @Override
        public void one() {
            next.incrementAndGet();
        }

        @Override
        public boolean isRight() {
            return next.get() == 2;
        }
    }
}
