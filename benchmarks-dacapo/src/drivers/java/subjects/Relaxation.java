package subjects;

/**
 * Successive over-relaxation on two grids with a barrier, after von Praun and Gross: in each of {@code size} rounds all threads compute their rows of one grid
 * from the other, wait for each other, and change grids. Checked against the same in one thread.
 */
final class Relaxation implements Workload {
    private static final int LENGTH = 64;

    /** Threads that pass have all arrived. */
    private static final class Meeting {
        private final int threads;
        private int arrived;
        private int round;

        Meeting(int threads) {
            this.threads = threads;
        }

        synchronized void pass() throws InterruptedException {
            int mine = round;
            if (++arrived == threads) {
                arrived = 0;
                round++;
                notifyAll();
            }
            while (round == mine) {
                wait();
            }
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        double[][][] grids = {start(), start()};
        Meeting meeting = new Meeting(threads);
        Team.round("relaxation", threads, number -> {
            int from = Math.max(1, Team.begin(number, threads, LENGTH));
            int to = Math.min(LENGTH - 1, Team.begin(number + 1, threads, LENGTH));
            for (int round = 0; round < size; round++) {
                relax(grids[round % 2], grids[1 - round % 2], from, to);
                meeting.pass();
            }
        });
        double[][][] alone = {start(), start()};
        for (int round = 0; round < size; round++) {
            relax(alone[round % 2], alone[1 - round % 2], 1, LENGTH - 1);
        }
        WrongResult.unless(sum(alone[size % 2]), sum(grids[size % 2]), "the grid");
        return "sum " + sum(grids[size % 2]);
    }

    private static double[][] start() {
        double[][] grid = new double[LENGTH][LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            for (int k = 0; k < LENGTH; k++) {
                grid[i][k] = (i * 31 + k * 17) % 13;
            }
        }
        return grid;
    }

    private static void relax(double[][] old, double[][] grid, int from, int to) {
        for (int i = from; i < to; i++) {
            for (int k = 1; k < LENGTH - 1; k++) {
                grid[i][k] = 0.25 * (old[i - 1][k] + old[i + 1][k] + old[i][k - 1] + old[i][k + 1]);
            }
        }
    }

    private static long sum(double[][] grid) {
        double sum = 0;
        for (double[] row : grid) {
            for (double cell : row) {
                sum += cell;
            }
        }
        return Math.round(sum * 1000);
    }
}
