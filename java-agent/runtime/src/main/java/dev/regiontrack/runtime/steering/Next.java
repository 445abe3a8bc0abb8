package dev.regiontrack.runtime.steering;

/**
 * A thread that is held a little longer: another one has come, but has only looked, so what interferes is what it does next. It has time for that until it waits or has ended. Let go
 * at once, both would go on at the same time, and calls of the library that overlap are no events.
 */
public final class Next extends Hold {
    /** It waits if so many looks in a row say so: a hook of its own can wait for a moment, for what another thread tells the bridge. */
    private static final int LOOKS = 10;

    private final Thread other;
    /** Counted by the thread that is held. */
    private volatile int looks;

    public Next(Thread other) {
        this.other = other;
    }

    @Override
    public boolean isMet() {
        Thread.State state = other.getState();
        if (thread == Thread.currentThread()) {
            looks = state == Thread.State.RUNNABLE ? 0 : looks + 1;
        }
        return state == Thread.State.TERMINATED || looks >= LOOKS;
    }
}
