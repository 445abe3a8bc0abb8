package kernels;

/**
 * The first {@code SIZE} pairs of Fourier coefficients of (x+1)^x on the interval from 0 to 2, each by the trapezoid
 * rule with a thousand steps. The pairs are divided among the threads.
 *
 * <p>Checked: the first pairs against Simpson's rule with finer steps; the others by symmetry, since the rule sees a
 * frequency and its distance from the number of steps at the same values.
 */
public final class Series extends Kernel {
    private static final int STEPS = 1000;
    private static final double LENGTH = 2;
    private static final int CONSTANT = 0;
    private static final int COSINE = 1;
    private static final int SINE = 2;

    /** The coefficients of the cosines, and of the sines. */
    private double[][] coefficients;

    private Series(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new Series(arguments).run();
    }

    protected void prepare() {
        coefficients = new double[2][size];
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                int end = begin(number + 1, size);
                for (int k = begin(number, size); k < end; k++) {
                    coefficients[0][k] = trapezoid(k, k == 0 ? CONSTANT : COSINE);
                    coefficients[1][k] = trapezoid(k, SINE);
                }
            }
        };
    }

    /** The integral of the function, weighted as {@code kind} says, divided by half the length. */
    static double trapezoid(int k, int kind) {
        double step = LENGTH / STEPS;
        double sum = (value(0, k, kind) + value(LENGTH, k, kind)) / 2;
        for (int i = 1; i < STEPS; i++) {
            sum += value(i * step, k, kind);
        }
        return sum * step / (LENGTH / 2);
    }

    private static double value(double x, int k, int kind) {
        double omega = Math.PI * k;
        switch (kind) {
            case CONSTANT:
                return Math.pow(x + 1, x) / 2;
            case COSINE:
                return Math.pow(x + 1, x) * Math.cos(omega * x);
            default:
                return Math.pow(x + 1, x) * Math.sin(omega * x);
        }
    }

    protected String check() {
        for (int k = 0; k < Math.min(size, 4); k++) {
            near(coefficients[0][k], simpson(k, k == 0 ? CONSTANT : COSINE), 1e-3, "cosine " + k);
            near(coefficients[1][k], simpson(k, SINE), 1e-3, "sine " + k);
        }
        for (int k = STEPS / 2 + 1; k < size; k++) {
            int folded = k % STEPS;
            boolean isReflected = folded > STEPS / 2;
            int mirror = isReflected ? STEPS - folded : folded;
            if (mirror != 0 && mirror != k) {
                near(coefficients[0][k], coefficients[0][mirror], 1e-6, "cosine " + k);
                near(coefficients[1][k], isReflected ? -coefficients[1][mirror] : coefficients[1][mirror], 1e-6, "sine " + k);
            }
        }
        return size + " pairs, " + new Checksum().add(coefficients[0]).add(coefficients[1]);
    }

    private static void near(double value, double expected, double tolerance, String what) {
        require(Math.abs(value - expected) < tolerance, what + " is " + value + ", not " + expected);
    }

    /** The same by another rule. */
    private static double simpson(int k, int kind) {
        int steps = 10 * STEPS;
        double step = LENGTH / steps;
        double sum = value(0, k, kind) + value(LENGTH, k, kind);
        for (int i = 1; i < steps; i++) {
            sum += (i % 2 == 1 ? 4 : 2) * value(i * step, k, kind);
        }
        return sum * step / 3 / (LENGTH / 2);
    }
}
