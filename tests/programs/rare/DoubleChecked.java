package rare;

/** Double-checked locking, without the second check, and with it. */
public final class DoubleChecked {
    private DoubleChecked() {
    }

    public static final class Wrong extends Pair {
        private volatile int[] table;
        private int made;

        @Override
        public void one() {
            if (table == null) {
                synchronized (this) {
                    made++;
                    table = new int[1];
                }
            }
        }

        @Override
        public boolean isRight() {
            return made == 1;
        }
    }

    public static final class Right extends Pair {
        private volatile int[] table;
        private int made;

        @Override
        public void one() {
            if (table == null) {
                synchronized (this) {
                    if (table == null) {
                        made++;
                        table = new int[1];
                    }
                }
            }
        }

        @Override
        public boolean isRight() {
            return made == 1;
        }
    }
}
