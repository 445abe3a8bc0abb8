package kernels;

import java.util.Random;

/**
 * Successive over-relaxation on a square grid with sides of {@code SIZE}: a hundred iterations in which first the red,
 * then the black fields move towards the mean of their neighbours. The rows are divided among the threads.
 *
 * <p>Checked: the grid begins as a discretely harmonic function with noise; the noise must vanish, the function stay.
 */
public final class Sor extends Kernel {
    private static final int ITERATIONS = 100;
    private static final double OMEGA = 1.25;

    private double[][] grid;
    private double noise;
    private Barrier barrier;

    private Sor(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new Sor(arguments).run();
    }

    protected void prepare() {
        Random random = new Random(size);
        grid = new double[size][size];
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                boolean isInner = row > 0 && row < size - 1 && column > 0 && column < size - 1;
                grid[row][column] = harmonic(row, column) + (isInner ? random.nextDouble() - 0.5 : 0);
            }
        }
        noise = distance();
        barrier = new Barrier(threads);
    }

    /** A function that is everywhere the mean of its four neighbours. */
    private double harmonic(int row, int column) {
        return ((double) row * row - (double) column * column) / ((double) size * size);
    }

    /** How far the grid is from that function: the sum of the squares. */
    private double distance() {
        double sum = 0;
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++) {
                double difference = grid[row][column] - harmonic(row, column);
                sum += difference * difference;
            }
        }
        return sum;
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                int from = 1 + begin(number, size - 2);
                int to = 1 + begin(number + 1, size - 2);
                for (int i = 0; i < 2 * ITERATIONS; i++) {
                    sweep(i % 2, from, to);
                    barrier.pass();
                }
            }
        };
    }

    /** Relaxes the fields of one colour in these rows. */
    void sweep(int colour, int from, int to) {
        for (int row = from; row < to; row++) {
            relax(grid[row - 1], grid[row], grid[row + 1], 1 + (row + colour) % 2);
        }
    }

    private static void relax(double[] above, double[] here, double[] below, int first) {
        for (int i = first; i < here.length - 1; i += 2) {
            here[i] = OMEGA / 4 * (above[i] + below[i] + here[i - 1] + here[i + 1]) + (1 - OMEGA) * here[i];
        }
    }

    protected String check() {
        double left = distance();
        require(left < noise / 50, "of the noise " + noise + " there is left " + left);
        Checksum sum = new Checksum();
        for (int row = 0; row < size; row++) {
            sum.add(grid[row]);
        }
        return size + " rows, " + sum;
    }
}
