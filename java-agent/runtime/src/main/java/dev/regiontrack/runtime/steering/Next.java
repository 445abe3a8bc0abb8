package dev.regiontrack.runtime.steering;

/**
 * A thread that is held a little longer: another one has come, but has only looked, so what interferes is what it does next. It has time for that until it waits or has ended. Let go
 * at once, both would go on at the same time, and calls of the library that overlap are no events.
 */
public final class Next extends Hold {
    private final Thread other;

    public Next(Thread other) {
        this.other = other;
    }

    @Override
    public boolean isMet() {
        return other.getState() != Thread.State.RUNNABLE;
    }
}
