package kernels.montecarlo;

/** The logarithm of a price's growth in a day: its mean and its standard deviation. */
final class Returns {
    final double drift;
    final double volatility;

    Returns(double drift, double volatility) {
        this.drift = drift;
        this.volatility = volatility;
    }
}
