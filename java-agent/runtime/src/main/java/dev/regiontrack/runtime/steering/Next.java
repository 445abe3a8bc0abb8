package dev.regiontrack.runtime.steering;

/**
 * A short extension of a hold: the other thread has come, but has only looked, so its next action is what interferes. It has time for that until it
 * waits or ends. If the held thread were let go at once, both would go on at the same time, and overlapping calls of the library are no events.
 */
public final class Next extends Hold {
    private final Standstill other;
    private final int mostLooks;

    Next(Thread other) {
        this(other, LOOKS);
    }

    /** The other thread counts as waiting after {@code mostLooks} successive looks. */
    public Next(Thread other, int mostLooks) {
        this.other = new Standstill(other, mostLooks);
        this.mostLooks = mostLooks;
    }

    @Override
    protected int mostLooks() {
        return mostLooks;
    }

    @Override
    public boolean isMet() {
        return thread == Thread.currentThread() ? other.look() : other.is();
    }
}
