package dev.regiontrack.runtime.steering;

/**
 * A short extension of a hold: the other thread has come, but has only looked, so its next action is what interferes. It has time for that until it
 * waits or ends. If the held thread were let go at once, both would go on at the same time, and overlapping calls of the library are no events.
 */
public final class Next extends Hold {
    private final Thread other;
    private final int mostLooks;
    /** Counted by the thread that is held. */
    private volatile int looks;

    Next(Thread other) {
        this(other, LOOKS);
    }

    /**
     * The other thread counts as waiting after {@code mostLooks} successive looks: its own hook can wait briefly for what another thread reports
     * to the bridge.
     */
    public Next(Thread other, int mostLooks) {
        this.other = other;
        this.mostLooks = mostLooks;
    }

    @Override
    protected int mostLooks() {
        return mostLooks;
    }

    @Override
    public boolean isMet() {
        Thread.State state = other.getState();
        if (thread == Thread.currentThread()) {
            looks = state == Thread.State.RUNNABLE ? 0 : looks + 1;
        }
        return state == Thread.State.TERMINATED || looks >= mostLooks;
    }
}
