package run;

/** Prints the ends alone, and marks the iterations for the benchmark. */
public class Quiet extends Callback {
    private int iterations;

    @Override
    public void start(String benchmark, boolean isLast) {
        Thread.currentThread().setName(benchmark + '-' + ++iterations);
        start = System.nanoTime();
    }
}
