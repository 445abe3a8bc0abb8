package kernels;

/** Where all threads of a team wait for the last, as often as they like. */
public final class Barrier {
    private final int threads;
    private int waiting;
    private int passes;

    /** For a team of this many threads. */
    public Barrier(int threads) {
        this.threads = threads;
    }

    /** Returns when all threads have called it. */
    public synchronized void pass() {
        int pass = passes;
        waiting++;
        if (waiting == threads) {
            waiting = 0;
            passes++;
            notifyAll();
            return;
        }
        while (pass == passes) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a worker");
            }
        }
    }
}
