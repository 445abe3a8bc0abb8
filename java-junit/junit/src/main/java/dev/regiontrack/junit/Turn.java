package dev.regiontrack.junit;

/**
 * The turn of a test that is repeated: one test at a time has it. The agent lets others wait, too, but only inside the test, where it counts for a
 * {@code @Timeout}. So tests wait here before.
 */
public final class Turn {
    /** Guarded by the class. */
    private static Turn current;

    /** The thread of the test. Guarded by the class. */
    private Thread thread = Thread.currentThread();

    private Turn() {
    }

    /** Waits for the turn. Returns null if the running thread has it: the test runs inside the one that is repeated, which would never end. */
    public static Turn take() throws InterruptedException {
        synchronized (Turn.class) {
            if (current != null && current.thread == Thread.currentThread()) {
                return null;
            }
            while (current != null) {
                Turn.class.wait();
            }
            current = new Turn();
            return current;
        }
    }

    /** The running thread runs the test: a {@code @Timeout} can run it in another thread than what comes before. */
    public void isRunHere() {
        synchronized (Turn.class) {
            thread = Thread.currentThread();
        }
    }

    /** Gives the turn to the next test, unless this was done before. */
    public void give() {
        synchronized (Turn.class) {
            if (current == this) {
                current = null;
                Turn.class.notifyAll();
            }
        }
    }
}
