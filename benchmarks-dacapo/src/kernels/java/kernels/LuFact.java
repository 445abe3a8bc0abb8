package kernels;

import java.util.Random;

/**
 * Solves {@code SIZE} linear equations by factorization with partial pivoting, as Linpack does: the threads share the
 * columns to the right of each pivot.
 *
 * <p>Checked: the residual of the solution, in relation to the matrix and to the machine's precision.
 */
public final class LuFact extends Kernel {
    private static final double PRECISION = Math.pow(2, -52);

    /** The matrix by columns; then its factors. */
    private double[][] columns;
    /** By column, the row that was exchanged for the diagonal one. */
    private int[] pivots;
    private Barrier barrier;

    private LuFact(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new LuFact(arguments).run();
    }

    protected void prepare() {
        columns = matrix();
        pivots = new int[size];
        barrier = new Barrier(threads);
    }

    private double[][] matrix() {
        Random random = new Random(size);
        double[][] matrix = new double[size][size];
        for (int column = 0; column < size; column++) {
            for (int row = 0; row < size; row++) {
                matrix[column][row] = random.nextDouble() - 0.5;
            }
        }
        return matrix;
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                for (int k = 0; k < size - 1; k++) {
                    if (k % threads == number) {
                        pivot(k);
                    }
                    barrier.pass();
                    for (int column = k + 1; column < size; column++) {
                        if (column % threads == number) {
                            eliminate(column, k);
                        }
                    }
                    barrier.pass();
                }
            }
        };
    }

    /** Brings the largest element of what is left of a column to the diagonal, and divides the others by it. */
    void pivot(int k) {
        double[] column = columns[k];
        int row = largest(column, k);
        pivots[k] = row;
        swap(column, k, row);
        double factor = 1 / column[k];
        for (int i = k + 1; i < size; i++) {
            column[i] *= factor;
        }
    }

    private int largest(double[] column, int from) {
        int row = from;
        for (int i = from + 1; i < size; i++) {
            if (Math.abs(column[i]) > Math.abs(column[row])) {
                row = i;
            }
        }
        return row;
    }

    private static void swap(double[] column, int a, int b) {
        double value = column[a];
        column[a] = column[b];
        column[b] = value;
    }

    /** Subtracts the multiple of the pivot's column from another. */
    void eliminate(int column, int k) {
        double[] target = columns[column];
        swap(target, k, pivots[k]);
        subtract(target[k], columns[k], target, k + 1);
    }

    private void subtract(double factor, double[] column, double[] target, int from) {
        for (int i = from; i < size; i++) {
            target[i] -= factor * column[i];
        }
    }

    protected String check() {
        double[][] matrix = matrix();
        // The right side is the sum of each row, so the solution consists of ones.
        double[] right = new double[size];
        for (int column = 0; column < size; column++) {
            subtract(-1, matrix[column], right, 0);
        }
        double[] solution = (double[]) right.clone();
        solve(solution);
        double largest = 0;
        for (int column = 0; column < size; column++) {
            subtract(solution[column], matrix[column], right, 0);
            require(Math.abs(solution[column] - 1) < 1e-6, "unknown " + column + " is " + solution[column]);
        }
        for (int row = 0; row < size; row++) {
            largest = Math.max(largest, Math.abs(right[row]));
        }
        double residual = largest / (size * 0.5 * PRECISION);
        require(residual < 100, "the residual is " + residual);
        return size + " equations, " + new Checksum().add(solution);
    }

    /** Applies the factors to a right side. */
    private void solve(double[] right) {
        for (int k = 0; k < size - 1; k++) {
            swap(right, k, pivots[k]);
            subtract(right[k], columns[k], right, k + 1);
        }
        for (int k = size - 1; k >= 0; k--) {
            double[] column = columns[k];
            right[k] /= column[k];
            for (int i = 0; i < k; i++) {
                right[i] -= right[k] * column[i];
            }
        }
    }
}
