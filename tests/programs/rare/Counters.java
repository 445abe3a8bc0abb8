package rare;

/** Two counters that are written under a lock, and read without it. */
public final class Counters {
    private Counters() {
    }

    private static final class Both {
        private int in;
        private int out;
        private int difference;

        synchronized void pass() {
            in++;
            out++;
        }
    }

    public static final class Wrong extends Pair {
        private final Both both = new Both();

        @Override
        public void one() {
            int in = both.in;
            both.difference = both.out - in;
        }

        @Override
        public void other() {
            both.pass();
        }

        @Override
        public boolean isRight() {
            return both.difference == 0;
        }
    }

    public static final class Right extends Pair {
        private final Both both = new Both();

        @Override
        public void one() {
            synchronized (both) {
                int in = both.in;
                both.difference = both.out - in;
            }
        }

        @Override
        public void other() {
            both.pass();
        }

        @Override
        public boolean isRight() {
            return both.difference == 0;
        }
    }
}
