package kernels.montecarlo;

import java.util.Vector;
import kernels.Checksum;
import kernels.Kernel;

/**
 * Simulates {@code SIZE} futures of a share's price, with drift and volatility as in its past. The futures are divided
 * among the threads, which put their results into one vector.
 *
 * <p>Checked: there is one result of each future, and their drift and volatility are, on average, those of the past, up
 * to five standard errors.
 */
public final class MonteCarlo extends Kernel {
    private static final int DAYS = 1000;
    private static final Returns MARKET = new Returns(0.0002, 0.01);

    private Prices past;
    private Returns returns;
    private Vector results;

    private MonteCarlo(String[] arguments) {
        super(arguments);
    }

    /** The program. */
    public static void main(String[] arguments) throws InterruptedException {
        new MonteCarlo(arguments).run();
    }

    protected void prepare() {
        past = Prices.simulated(0, 100, DAYS, MARKET);
        returns = past.returns();
        results = new Vector();
    }

    protected Runnable worker(final int number) {
        return new Runnable() {
            public void run() {
                int end = begin(number + 1, size);
                for (int task = begin(number, size); task < end; task++) {
                    simulate(task);
                }
            }
        };
    }

    void simulate(int task) {
        results.addElement(new Result(task, Prices.simulated(task + 1, past.last(), past.days(), returns)));
    }

    protected String check() {
        require(results.size() == size, results.size() + " results of " + size + " tasks");
        Result[] byTask = new Result[size];
        for (int i = 0; i < size; i++) {
            Result result = (Result) results.elementAt(i);
            require(byTask[result.task] == null, "task " + result.task + " has two results");
            byTask[result.task] = result;
        }
        double drift = 0;
        double volatility = 0;
        Checksum sum = new Checksum();
        for (int task = 0; task < size; task++) {
            Result result = byTask[task];
            drift += result.returns.drift / size;
            volatility += result.returns.volatility / size;
            sum.add(result.returns.drift).add(result.returns.volatility).add(result.last);
        }
        double standardError = returns.volatility / Math.sqrt((double) size * DAYS);
        require(Math.abs(drift - returns.drift) < 5 * standardError, "the drift is " + drift + ", not " + returns.drift);
        // Estimates from single paths are too low by a relative 3/(4 n).
        double bias = returns.volatility / DAYS;
        require(Math.abs(volatility - returns.volatility) < 5 * standardError + bias,
            "the volatility is " + volatility + ", not " + returns.volatility);
        return size + " futures, " + sum;
    }
}
