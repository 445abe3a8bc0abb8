package kernels;

import java.util.Random;

/**
 * Multiplies a sparse matrix with a vector two hundred times and adds up the products; the matrix has {@code SIZE} rows
 * with five entries each, stored as triples. The rows are divided among the threads.
 *
 * <p>Checked: the sum of the result is the product of the sums of the columns with the vector.
 */
public final class SparseMatMult extends Kernel {
    private static final int ENTRIES = 5;
    private static final int ITERATIONS = 200;

    private int[] row;
    private int[] column;
    private double[] value;
    private double[] vector;
    private double[] result;

    private SparseMatMult(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new SparseMatMult(arguments).run();
    }

    protected void prepare() {
        Random random = new Random(size);
        row = new int[size * ENTRIES];
        column = new int[size * ENTRIES];
        value = new double[size * ENTRIES];
        for (int i = 0; i < row.length; i++) {
            row[i] = i / ENTRIES;
            column[i] = random.nextInt(size);
            value[i] = random.nextDouble();
        }
        vector = new double[size];
        for (int i = 0; i < size; i++) {
            vector[i] = random.nextDouble();
        }
        result = new double[size];
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                int from = begin(number, size) * ENTRIES;
                int to = begin(number + 1, size) * ENTRIES;
                for (int i = 0; i < ITERATIONS; i++) {
                    multiply(from, to);
                }
            }
        };
    }

    /** Adds the products of these entries. */
    void multiply(int from, int to) {
        for (int i = from; i < to; i++) {
            result[row[i]] += vector[column[i]] * value[i];
        }
    }

    protected String check() {
        double[] sums = new double[size];
        for (int i = 0; i < column.length; i++) {
            sums[column[i]] += value[i];
        }
        double expected = 0;
        double found = 0;
        for (int i = 0; i < size; i++) {
            expected += ITERATIONS * sums[i] * vector[i];
            found += result[i];
        }
        require(Math.abs(found / expected - 1) < 1e-9, "the sum is " + found + ", not " + expected);
        return size + " rows, " + new Checksum().add(result);
    }
}
