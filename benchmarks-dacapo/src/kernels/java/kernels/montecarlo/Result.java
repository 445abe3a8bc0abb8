package kernels.montecarlo;

/** What one simulated future looks like. */
final class Result {
    final int task;
    final Returns returns;
    final double last;

    Result(int task, Prices prices) {
        this.task = task;
        returns = prices.returns();
        last = prices.last();
    }
}
