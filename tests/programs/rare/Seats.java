package rare;

/** A check and an act on a field that both threads see: one seat, which both can take. */
public final class Seats {
    private Seats() {
    }

    public static final class Wrong extends Pair {
        private volatile int seats = 1;

        @Override
        public void one() {
            if (seats > 0) {
                seats--;
            }
        }

        @Override
        public boolean isRight() {
            return seats == 0;
        }
    }

    public static final class Right extends Pair {
        private int seats = 1;

        @Override
        public synchronized void one() {
            if (seats > 0) {
                seats--;
            }
        }

        @Override
        public boolean isRight() {
            return seats == 0;
        }
    }
}
