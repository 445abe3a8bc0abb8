package rare;

import java.util.concurrent.atomic.AtomicInteger;

/** A field that is made when it is first asked for: by both threads, if the other one comes while it is made. */
public final class Lazy {
    private Lazy() {
    }

    /** Counts how often it is made. */
    private static final class Thing {
        Thing(AtomicInteger made) {
            made.incrementAndGet();
        }
    }

    public static final class Wrong extends Pair {
        private final AtomicInteger made = new AtomicInteger();
        private volatile Thing thing;

        @Override
        public void one() {
            if (thing == null) {
                thing = new Thing(made);
            }
        }

        @Override
        public boolean isRight() {
            return made.get() == 1;
        }
    }

    public static final class Right extends Pair {
        private final AtomicInteger made = new AtomicInteger();
        private Thing thing;

        @Override
        public synchronized void one() {
            if (thing == null) {
                thing = new Thing(made);
            }
        }

        @Override
        public boolean isRight() {
            return made.get() == 1;
        }
    }
}
