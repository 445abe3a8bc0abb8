package dev.regiontrack.runtime.steering;

/** Pseudo-random numbers from a seed: SplitMix64. */
final class Chance {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;
    private static final int FIRST_SHIFT = 30;
    private static final int SECOND_SHIFT = 27;
    private static final int LAST_SHIFT = 31;

    private long state;

    Chance(long seed) {
        state = seed;
    }

    /** Returns the generator of the thread with this number. */
    static Chance of(long seed, int thread) {
        return new Chance(new Chance(seed + thread * STEP).next());
    }

    private long next() {
        state += STEP;
        long z = (state ^ state >>> FIRST_SHIFT) * FIRST;
        z = (z ^ z >>> SECOND_SHIFT) * SECOND;
        return z ^ z >>> LAST_SHIFT;
    }

    /** Returns a number of at least 0 and less than {@code bound}, which is positive. */
    long below(long bound) {
        return Long.remainderUnsigned(next(), bound);
    }
}
