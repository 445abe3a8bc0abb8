package rare;

/** A thread waits, for a while, in an if until there is an item, and takes it in another synchronized section. */
public final class WaitInIf {
    private WaitInIf() {
    }

    public static final class Wrong extends Pair {
        private int items = 1;

        private synchronized boolean isThere() throws InterruptedException {
            if (items == 0) {
                wait(1);
            }
            return items > 0;
        }

        private synchronized void take() {
            items--;
        }

        @Override
        public void one() throws InterruptedException {
            if (isThere()) {
                take();
            }
        }

        @Override
        public boolean isRight() {
            return items == 0;
        }
    }

    public static final class Right extends Pair {
        private int items = 1;

        @Override
        public synchronized void one() throws InterruptedException {
            if (items == 0) {
                wait(1);
            }
            if (items > 0) {
                items--;
            }
        }

        @Override
        public boolean isRight() {
            return items == 0;
        }
    }
}
