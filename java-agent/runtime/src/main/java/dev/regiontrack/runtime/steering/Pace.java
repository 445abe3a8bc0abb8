package dev.regiontrack.runtime.steering;

/**
 * Decides which chances to hold a thread are used: after a futile hold some are skipped, about twice as many each time. Threads that count at the
 * same time can lose a count, which only changes when the next attempt is made.
 */
final class Pace {
    private static final int MOST = 1 << 12;
    private static final int MOST_LOOKS = 1 << 6;

    /** The number of futile holds that still have no consequence. */
    private int free;
    private int pause;
    private int left;

    /** Skips the first {@code skipped} chances, and none after the first {@code free} futile holds. */
    Pace(int skipped, int free) {
        this.free = free;
        left = skipped;
    }

    /** Whether this chance is to be used. */
    boolean isDue() {
        if (left > 0) {
            left--;
            return false;
        }
        return true;
    }

    /** A thread was held; {@code isMet} if another one has come. */
    void held(boolean isMet) {
        if (!isMet && free > 0) {
            free--;
            return;
        }
        pause = isMet ? 0 : Math.min(2 * pause + 1, MOST);
        left = pause;
    }

    /** The thread was at a point where it could not be held. */
    void looked() {
        pause = Math.max(pause, Math.min(2 * pause + 1, MOST_LOOKS));
        left = pause;
    }
}
