package run;

/** Prints the begin and the end of each iteration; users of the harness can name another class. */
public class Callback {
    public void start(String benchmark, int iteration) {
        System.out.println(benchmark + " starts " + iteration);
    }

    public void stop(String benchmark, int iteration, boolean isValid) {
        System.out.println(benchmark + (isValid ? " passed " : " failed ") + iteration);
    }
}
