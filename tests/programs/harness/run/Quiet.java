package run;

/** Prints the ends alone. */
public class Quiet extends Callback {
    @Override
    public void start(String benchmark, int iteration) {
        Thread.currentThread().setName(benchmark + '-' + iteration);
    }
}
