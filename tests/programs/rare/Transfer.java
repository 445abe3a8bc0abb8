package rare;

/** Two accounts, each with its lock: money is under way while somebody adds up what both have. */
public final class Transfer {
    private Transfer() {
    }

    private static final class Account {
        private int balance = 100;

        synchronized void add(int amount) {
            balance += amount;
        }

        synchronized int balance() {
            return balance;
        }
    }

    private static final class Two {
        private final Account from = new Account();
        private final Account to = new Account();

        void move() {
            from.add(-10);
            to.add(10);
        }

        int total() {
            return from.balance() + to.balance();
        }
    }

    public static final class Wrong extends Pair {
        private final Two two = new Two();
        private int total = 200;

        @Override
        public void one() {
            two.move();
        }

        @Override
        public void other() {
            total = two.total();
        }

        @Override
        public boolean isRight() {
            return total == 200;
        }
    }

    public static final class Right extends Pair {
        private final Two two = new Two();
        private int total = 200;

        @Override
        public void one() {
            synchronized (two) {
                two.move();
            }
        }

        @Override
        public void other() {
            synchronized (two) {
                total = two.total();
            }
        }

        @Override
        public boolean isRight() {
            return total == 200;
        }
    }
}
