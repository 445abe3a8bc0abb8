package dev.regiontrack.runtime.steering;

/**
 * Whether a thread stands still: it has ended, or did not run in several successive looks. Several, because its own hook can wait briefly for what
 * another thread reports to the bridge, and because one that has just been let go may not run yet. Only one thread looks.
 */
public final class Standstill {
    private final Thread thread;
    private final int mostLooks;
    private volatile int looks;

    /** {@code mostLooks} is the number of looks after which it stands still. */
    public Standstill(Thread thread, int mostLooks) {
        this.thread = thread;
        this.mostLooks = mostLooks;
    }

    /** Looks once more. */
    public boolean look() {
        Thread.State state = Others.state(thread);
        looks = state == Thread.State.TERMINATED ? mostLooks : state == Thread.State.RUNNABLE ? 0 : looks + 1;
        return is();
    }

    /** Returns what the last look has shown. */
    boolean is() {
        return looks >= mostLooks;
    }
}
