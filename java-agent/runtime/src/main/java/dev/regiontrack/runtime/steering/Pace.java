package dev.regiontrack.runtime.steering;

/**
 * Which chances to hold a thread are used: after one in vain so many are passed over, twice as many each time. Threads that count at the same time can lose a count, which
 * changes only when it is tried again.
 */
final class Pace {
    private static final int MOST = 1 << 12;
    private static final int MOST_LOOKS = 1 << 6;

    /** After so many holds in vain nothing is passed over yet. */
    private int free;
    private int pause;
    private int left;

    /** One that passes over the first {@code skipped} chances, and none after the first {@code free} holds in vain. */
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

    /** A thread was held, and another one has come, or none. */
    void held(boolean isMet) {
        if (!isMet && free > 0) {
            free--;
            return;
        }
        pause = isMet ? 0 : Math.min(2 * pause + 1, MOST);
        left = pause;
    }

    /** The thread was not where it could be held. */
    void looked() {
        pause = Math.max(pause, Math.min(2 * pause + 1, MOST_LOOKS));
        left = pause;
    }
}
