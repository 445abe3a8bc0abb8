package dev.regiontrack.check;

/**
 * A thread's log of its operations: what is known of each from what it has seen and written. It is an array, whose elements nobody
 * watches, and its methods are static, so that the log makes no events of its own.
 *
 * <p>An operation is one on a history: a key of a map, a counter, an element that is handed on. Its place there is known by numbers: it has seen one
 * version and perhaps written the next. In a chain versions are unique values, and each write has seen the one before.
 */
public final class Operation {
    /** Of a history: its versions are the values of a chain. */
    public static final long CHAIN = 1L << 62;
    /** Nothing is known of what was seen, or of whether something was written. */
    public static final long UNKNOWN = -1;
    /** Words of an entry: history, version seen, version written or 0, start and end in nanoseconds. */
    static final int WORDS = 5;
    /** Words before the first entry: its index, and what a thread keeps for itself. */
    public static final int HEAD = 256;

    private Operation() {
    }

    /** A log for this many operations. */
    public static long[] log(int operations) {
        long[] log = new long[HEAD + WORDS * operations];
        log[0] = HEAD;
        return log;
    }

    /** The number of a history: {@code number} counts those of one kind. */
    public static long history(int kind, long number) {
        return (long) kind << 52 | number;
    }

    /** The operation begins. It has no effect unless {@link #did} says so. */
    public static void begins(long[] log) {
        int at = (int) log[0];
        log[at] = 0;
        log[at + 3] = System.nanoTime();
    }

    /** What it has done. */
    public static void did(long[] log, long history, long seen, long written) {
        int at = (int) log[0];
        log[at] = history;
        log[at + 1] = seen;
        log[at + 2] = written;
    }

    /** It ends. */
    public static void ends(long[] log) {
        int at = (int) log[0];
        log[at + 4] = System.nanoTime();
        log[0] = at + WORDS;
    }
}
