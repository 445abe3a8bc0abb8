package dev.regiontrack.runtime;

import jdk.internal.vm.annotation.ForceInline;

/**
 * The variables with several readers that a thread has read, by the number in their {@code R}, each with the segment in
 * which it was read. An entry can be displaced by another; then the variable's own table of readers decides. The table
 * grows if one segment reads many.
 */
final class SharedReads {
    private static final int FEWEST = 1 << 7;
    private static final int MOST = 1 << 15;

    /** Pairs of number and segment. */
    private long[] table = new long[FEWEST];
    private int displaced;

    /** True if the thread has read the variable with this number in its segment. Inlined into the program's code, so it has few locals. */
    @ForceInline
    boolean contain(long shared, ThreadState t) {
        long[] all = table;
        int at = (int) shared << 1 & all.length - 1;
        return all[at] == shared && Stamp.isMine(all[at + 1], t.seg);
    }

    /** Enters a variable. */
    void add(long shared, long segment) {
        long[] all = table;
        int at = (int) shared << 1 & all.length - 1;
        all[at] = shared;
        all[at + 1] = segment;
    }

    /** Before a variable is entered: grows the table if many entries were displaced in the segments in which they were entered. */
    void room(long shared, long segment) {
        long[] all = table;
        int at = (int) shared << 1 & all.length - 1;
        if (all[at + 1] == segment && all[at] != shared && ++displaced > all.length && all.length < MOST) {
            displaced = 0;
            try {
                table = new long[all.length * 2];
            } catch (OutOfMemoryError e) {
                // Without a larger table it is only slower.
            }
        }
    }
}
