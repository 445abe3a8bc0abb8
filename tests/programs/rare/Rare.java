package rare;

import java.util.Map;

/**
 * Runs a pair so often: each time a new object, and two threads, of which the other one comes some milliseconds after the first, which is in the window for some
 * microseconds. Nothing orders them but that.
 *
 * <p>Arguments: the pair ({@code Seats$Wrong}), and how often. It prints how often it went wrong. A run that takes a minute hangs: it prints where its threads are, and ends with
 * exit code 99.
 */
public final class Rare {
    private static final int WORK = 8_000_000;
    private static final long LIMIT_MS = 60_000;
    private static final int HUNG = 99;

    private Rare() {
    }

    /** Milliseconds of work that no other thread sees. */
    private static void work() {
        long number = 1;
        for (int i = 0; i < WORK; i++) {
            number = number * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        }
        if (number == 0) {
            throw new AssertionError("it is odd or even, in turn");
        }
    }

    /** A part of a pair. */
    private interface Part {
        void run() throws Exception;
    }

    /** What it throws goes into the count, since some pairs go wrong by that. */
    private static Runnable counted(Part part, boolean[] failed) {
        return () -> {
            try {
                part.run();
            } catch (Exception e) {
                failed[0] = true;
            }
        };
    }

    private static boolean isRight(Pair pair) throws Exception {
        boolean[] oneFailed = {false};
        boolean[] otherFailed = {false};
        Runnable other = counted(pair::other, otherFailed);
        pair.together(counted(pair::one, oneFailed), () -> {
            work();
            other.run();
        });
        return !oneFailed[0] && !otherFailed[0] && pair.isRight();
    }

    private static void watch() {
        Thread watch = new Thread(() -> {
            try {
                Thread.sleep(LIMIT_MS);
            } catch (InterruptedException e) {
                return;
            }
            for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
                System.err.println(thread.getKey());
                for (StackTraceElement frame : thread.getValue()) {
                    System.err.println("    " + frame);
                }
            }
            Runtime.getRuntime().halt(HUNG);
        }, "watch");
        watch.setDaemon(true);
        watch.start();
    }

    public static void main(String[] args) throws Exception {
        watch();
        int times = Integer.parseInt(args[1]);
        int wrong = 0;
        for (int i = 0; i < times; i++) {
            wrong += isRight(Pairs.make(args[0])) ? 0 : 1;
        }
        System.out.println(wrong + " of " + times + " went wrong");
        System.exit(0);
    }
}
