package subjects;

/**
 * Philosophers at a table, after von Praun and Gross: each takes both forks beside it, the one with the lower number first, and eats {@code size} times. The
 * table counts who eats. Checked: the meals, and that neighbours never eat at the same time.
 */
final class Philosophers implements Workload {
    /** A fork is used by one at a time. */
    private static final class Fork {
        int uses;
    }

    /** What everybody shares. */
    private static final class Table {
        private final Fork[] forks;
        private final boolean[] isEating;
        private int meals;
        private boolean isWrong;

        Table(int seats) {
            forks = new Fork[seats];
            isEating = new boolean[seats];
            for (int i = 0; i < seats; i++) {
                forks[i] = new Fork();
            }
        }

        synchronized void begin(int seat) {
            int seats = forks.length;
            isWrong |= isEating[(seat + 1) % seats] || isEating[(seat + seats - 1) % seats];
            isEating[seat] = true;
        }

        synchronized void end(int seat) {
            isEating[seat] = false;
            meals++;
        }

        void eat(int seat) {
            int other = (seat + 1) % forks.length;
            Fork first = forks[Math.min(seat, other)];
            Fork second = forks[Math.max(seat, other)];
            synchronized (first) {
                synchronized (second) {
                    begin(seat);
                    first.uses++;
                    second.uses++;
                    end(seat);
                }
            }
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        Table table = new Table(Math.max(threads, 2));
        Team.round("philosopher", threads, number -> {
            for (int i = 0; i < size; i++) {
                table.eat(number);
            }
        });
        int uses = 0;
        for (Fork fork : table.forks) {
            uses += fork.uses;
        }
        WrongResult.unless((long) threads * size, table.meals, "meals");
        WrongResult.unless(2L * threads * size, uses, "uses of forks");
        WrongResult.unless(0, table.isWrong ? 1 : 0, "neighbours who ate at the same time");
        return table.meals + " meals";
    }
}
