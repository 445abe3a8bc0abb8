package run;

/** Prints the begin and the end of each iteration as DaCapo does; users of the harness can name another class. */
public class Callback {
    protected long start;

    public void start(String benchmark, boolean isLast) {
        System.err.println("===== DaCapo " + benchmark + " starting " + (isLast ? "" : "warmup ") + "=====");
        start = System.nanoTime();
    }

    public void stop(String benchmark, boolean isLast, boolean isValid) {
        long milliseconds = (System.nanoTime() - start) / 1_000_000;
        String end = isValid ? (isLast ? " PASSED in " : " completed warmup in ") + milliseconds + " msec =====" : " FAILED =====";
        System.err.println("===== DaCapo " + benchmark + end);
    }
}
