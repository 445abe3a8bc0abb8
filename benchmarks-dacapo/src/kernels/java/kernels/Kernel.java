package kernels;

/**
 * A kernel in the manner of the multi-threaded Java Grande benchmarks: {@code KERNEL THREADS SIZE ROUNDS}. Each round
 * makes its input, starts the threads, waits for their ends and checks the result; the line that is printed depends on
 * the arguments alone, never on the schedule. A wrong result is an exception.
 *
 * <p>The kernels are written in the language of Java 1.4, so that they can be compiled into class files of every
 * version since. Threads, rounds and whole runs are methods {@code run()}, which the default specification does not
 * mean to be atomic.
 */
public abstract class Kernel {
    /** How many threads work. */
    protected final int threads;
    /** How large the problem is. */
    protected final int size;
    private final int rounds;

    /** The arguments of the command line. */
    protected Kernel(String[] arguments) {
        threads = Integer.parseInt(arguments[0]);
        size = Integer.parseInt(arguments[1]);
        rounds = Integer.parseInt(arguments[2]);
    }

    /** Makes the input of a round. */
    protected abstract void prepare();

    /** What one thread does; all of them together compute the result. */
    protected abstract Runnable worker(int number);

    /** Checks the result; returns it as one line. */
    protected abstract String check();

    /** Runs all rounds. */
    public final void run() throws InterruptedException {
        String result = "";
        for (int round = 0; round < rounds; round++) {
            prepare();
            Thread[] team = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                team[i] = new Thread(worker(i), "worker-" + i);
                team[i].start();
            }
            for (int i = 0; i < threads; i++) {
                team[i].join();
            }
            result = check();
        }
        System.out.println(getClass().getName() + ": " + result);
    }

    /** The first of {@code length} items that thread {@code number} works on; those of the thread after the last begin at the end. */
    protected final int begin(int number, int length) {
        return (int) ((long) length * number / threads);
    }

    /** Ends the program if the result lacks a property that it must have. */
    protected static void require(boolean holds, String property) {
        if (!holds) {
            throw new IllegalStateException("wrong result: " + property);
        }
    }
}
