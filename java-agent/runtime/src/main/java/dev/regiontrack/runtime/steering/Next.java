package dev.regiontrack.runtime.steering;

/**
 * A thread that is held a little longer: another one has come, but has only looked, so what interferes is what it does next. It has time for that until it waits or has ended. Let go
 * at once, both would go on at the same time, and calls of the library that overlap are no events.
 */
public final class Next extends Hold {
    private final Thread other;
    private final int mostLooks;
    /** Counted by the thread that is held. */
    private volatile int looks;

    Next(Thread other) {
        this(other, LOOKS);
    }

    /** The other one waits if so many looks in a row say so: a hook of its own can wait for a moment, for what another thread tells the bridge. */
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
