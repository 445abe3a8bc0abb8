package controlled;

import org.jetbrains.lincheck.Lincheck;
import rare.Pair;
import rare.Pairs;

/**
 * Runs a pair under Lincheck's model checker, which decides which thread runs and tries other orders. Prints which execution was the first to go wrong, or that
 * none did, and how many executions there were.
 *
 * <p>Arguments: the pair, and the maximum number of executions. The counts are system properties, because Lincheck restores the program's static fields after each execution.
 */
public final class Controlled {
    private static final String EXECUTIONS = "controlled.executions";
    private static final String WRONG = "controlled.wrong";

    private Controlled() {
    }

    /** A part of a pair. */
    private interface Part {
        void run() throws Exception;
    }

    private static Runnable counted(Part part, boolean[] failed) {
        return () -> {
            try {
                part.run();
            } catch (Exception e) {
                failed[0] = true;
            }
        };
    }

    private static void execute(String name) {
        int executions = Integer.getInteger(EXECUTIONS, 0) + 1;
        System.setProperty(EXECUTIONS, Integer.toString(executions));
        Pair pair = Pairs.make(name);
        boolean[] failed = {false};
        Thread one = new Thread(counted(pair::one, failed));
        Thread other = new Thread(counted(pair::other, failed));
        one.start();
        other.start();
        try {
            one.join();
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (failed[0] || !pair.isRight()) {
            if (System.getProperty(WRONG) == null) {
                System.setProperty(WRONG, Integer.toString(executions));
            }
            throw new IllegalStateException("it went wrong");
        }
    }

    public static void main(String[] args) {
        try {
            Lincheck.runConcurrentTest(Integer.parseInt(args[1]), () -> execute(args[0]));
        } catch (AssertionError e) {
            // Reported below.
        }
        String wrong = System.getProperty(WRONG);
        System.out.println(wrong == null ? "none " + System.getProperty(EXECUTIONS) : wrong);
        System.exit(0);
    }
}
