package dev.regiontrack.runtime.threads;

/**
 * A resource that a thread has open while it runs code of the agent that uses classes of the platform: such uses are not the program's
 * ({@link dev.regiontrack.runtime.bodies.Platform}). Each thread has one, which can be opened again while it is open, so that nothing is allocated.
 *
 * <p>Closing it takes no more stack than opening it, which has worked in the same place: so no stack overflow leaves it open.
 */
public final class Inside implements AutoCloseable {
    private int times;

    Inside() {
    }

    Inside open() {
        times++;
        return this;
    }

    boolean isOpen() {
        return times != 0;
    }

    /** Undoes one opening. */
    @Override
    public void close() {
        times--;
    }
}
