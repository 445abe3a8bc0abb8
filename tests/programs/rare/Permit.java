package rare;

import java.util.concurrent.Semaphore;

/** A permit that is given back between two steps, and taken again. */
public final class Permit {
    private Permit() {
    }

    public static final class Wrong extends Pair {
        private final Semaphore permit = new Semaphore(1);
        private int value;

        @Override
        public void one() throws InterruptedException {
            permit.acquire();
            int now = value;
            permit.release();
            permit.acquire();
            value = now + 1;
            permit.release();
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }

    public static final class Right extends Pair {
        private final Semaphore permit = new Semaphore(1);
        private int value;

        @Override
        public void one() throws InterruptedException {
            permit.acquire();
            int now = value;
            value = now + 1;
            permit.release();
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }
}
