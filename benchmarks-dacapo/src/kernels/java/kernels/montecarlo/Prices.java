package kernels.montecarlo;

import java.util.Random;

/** A share's prices, one for each day. */
final class Prices {
    private final double[] prices;

    private Prices(double[] prices) {
        this.prices = prices;
    }

    /** Prices that follow a geometric Brownian motion; the seed determines them. */
    static Prices simulated(long seed, double first, int days, Returns returns) {
        Random random = new Random(seed);
        double[] prices = new double[days];
        prices[0] = first;
        for (int day = 1; day < days; day++) {
            prices[day] = prices[day - 1] * Math.exp(returns.drift + returns.volatility * random.nextGaussian());
        }
        return new Prices(prices);
    }

    int days() {
        return prices.length;
    }

    double last() {
        return prices[prices.length - 1];
    }

    /** What the growth from each day to the next one looks like. */
    Returns returns() {
        double sum = 0;
        double squares = 0;
        for (int day = 1; day < prices.length; day++) {
            double growth = Math.log(prices[day] / prices[day - 1]);
            sum += growth;
            squares += growth * growth;
        }
        int count = prices.length - 1;
        double drift = sum / count;
        return new Returns(drift, Math.sqrt(squares / count - drift * drift));
    }
}
