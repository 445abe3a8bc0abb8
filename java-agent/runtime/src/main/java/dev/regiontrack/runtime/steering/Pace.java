package dev.regiontrack.runtime.steering;

/**
 * Decides which chances to hold a thread are used: after a futile hold some are skipped, about twice as many each time, or only a few. Threads that
 * count at the same time can lose a count, which only changes when the next attempt is made.
 */
final class Pace {
    private static final int MOST = 1 << 12;
    private static final int MOST_LOOKS = 1 << 6;
    /** If many chances are used: fewer than this many are skipped after a futile hold. */
    private static final int FEW = 4;
    /** Then holds last twice as long after each so many futile ones. */
    private static final int TURN = 9;
    private static final int MOST_DOUBLINGS = 5;
    /** And their lengths alternate, in tenths: a thread that runs on during a hold is ahead by that time, and the next hold of it has to be longer. */
    private static final int[] LENGTHS = {10, 4, 25};
    private static final int TENTHS = 10;
    /** But no longer than this, in nanoseconds. */
    private static final long LONGEST = 640_000_000;
    /** How many looks at the stack that find the thread in the block more than once have no consequence. */
    private static final int MOST_DEEP = 1000;

    /** The number of futile holds that still have no consequence. */
    private int free;
    private int pause;
    private int left;
    /** How many holds were futile, if many chances are used; and how many looks found the thread in the block more than once. */
    private int vain;
    private int deep;
    /** How many chances are skipped, if many are used; else null. */
    private final Chance chance;

    /** Skips the first {@code skipped} chances, and none after the first {@code free} futile holds. */
    Pace(int skipped, int free) {
        this(skipped, free, null);
    }

    private Pace(int skipped, int free, Chance chance) {
        this.free = free;
        left = skipped;
        this.chance = chance;
    }

    /**
     * Uses many chances: skips a few at random, from a seed, after each futile hold, and holds longer after several of these. Other threads run on
     * meanwhile and may use up their chances, so the first holds are short.
     */
    static Pace ofMany(long seed) {
        return new Pace(0, 0, new Chance(seed));
    }

    /** Returns the longest time for the next hold, in nanoseconds; {@code usual} is that of a hold where few chances are used. */
    long bound(long usual) {
        if (chance == null) {
            return usual;
        }
        return Math.min((usual << Math.min(vain / TURN, MOST_DOUBLINGS)) * LENGTHS[vain % LENGTHS.length] / TENTHS, LONGEST);
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
        if (!isMet && chance != null) {
            vain++;
            left = (int) chance.below(FEW);
            return;
        }
        if (!isMet && free > 0) {
            free--;
            return;
        }
        pause = isMet ? 0 : Math.min(2 * pause + 1, MOST);
        left = pause;
    }

    /**
     * The thread was in the block more than once. The right call may be the next one, so nothing is skipped unless this is frequent: each look takes
     * time.
     */
    void wasDeep() {
        if (++deep > MOST_DEEP) {
            looked();
        }
    }

    /** The thread was at a point where it could not be held. */
    void looked() {
        pause = Math.max(pause, Math.min(2 * pause + 1, MOST_LOOKS));
        left = pause;
    }
}
