package subjects;

import java.util.SplittableRandom;

/**
 * Repeatedly multiplies a sparse matrix by a vector, like Java Grande's kernel: the rows are divided among threads, and
 * each product is the next round's vector. {@code size} is the number of rows; each has ten entries.
 */
final class SparseMatrix implements Workload {
    private static final int ENTRIES = 10;
    private static final int ROUNDS = 200;

    private double[] value;
    private int[] column;
    private double[] vector;
    private double[] product;

    @Override
    public String run(int threads, int size) throws Exception {
        fill(size);
        for (int round = 0; round < ROUNDS; round++) {
            Team.round("rows", threads, part -> multiply(Team.begin(part, threads, size), Team.begin(part + 1, threads, size)));
            double[] last = vector;
            vector = product;
            product = last;
        }
        // Every row sums to one, so the vector of ones is a fixed point; rounding moves it by a few ulps per round.
        double largest = 0;
        for (double x : vector) {
            largest = Math.max(largest, Math.abs(x - 1));
        }
        if (!(largest < 1e-12)) {
            throw new WrongResult("a component is off by " + largest);
        }
        return "largest error " + largest;
    }

    private void fill(int size) {
        SplittableRandom random = new SplittableRandom(size);
        value = new double[size * ENTRIES];
        column = new int[size * ENTRIES];
        vector = new double[size];
        product = new double[size];
        for (int row = 0; row < size; row++) {
            vector[row] = 1;
            double sum = 0;
            for (int k = row * ENTRIES; k < (row + 1) * ENTRIES; k++) {
                column[k] = random.nextInt(size);
                value[k] = random.nextDouble() + 0.1;
                sum += value[k];
            }
            for (int k = row * ENTRIES; k < (row + 1) * ENTRIES; k++) {
                value[k] /= sum;
            }
        }
    }

    private void multiply(int from, int to) {
        for (int row = from; row < to; row++) {
            double sum = 0;
            for (int k = row * ENTRIES; k < (row + 1) * ENTRIES; k++) {
                sum += value[k] * vector[column[k]];
            }
            product[row] = sum;
        }
    }
}
