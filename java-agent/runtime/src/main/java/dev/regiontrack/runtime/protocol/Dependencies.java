package dev.regiontrack.runtime.protocol;

/**
 * The dependencies of a thread: the highest stamp of each other thread, by thread number. A dependency on that stamp or
 * an earlier one is implied.
 */
public final class Dependencies {
    private long[] known = new long[8];
    private int size;

    /** Whether a dependency on the stamp is implied. */
    public boolean imply(long stamp) {
        int u = Stamp.thread(stamp);
        int m = known.length - 1;
        for (int i = u & m; known[i] != 0; i = i + 1 & m) {
            if (Stamp.thread(known[i]) == u) {
                return known[i] >= stamp;
            }
        }
        return false;
    }

    /** Enters a stamp; returns false if it is implied. */
    public boolean add(long stamp) {
        int u = Stamp.thread(stamp);
        long[] table = known;
        int m = table.length - 1;
        for (int i = u & m;; i = i + 1 & m) {
            long old = table[i];
            if (old == 0) {
                table[i] = stamp;
                if (2 * ++size > m) {
                    grow();
                }
                return true;
            }
            if (Stamp.thread(old) == u) {
                if (old >= stamp) {
                    return false;
                }
                table[i] = stamp;
                return true;
            }
        }
    }

    private void grow() {
        long[] table = new long[known.length * 2];
        int m = table.length - 1;
        for (long stamp : known) {
            if (stamp != 0) {
                int i = Stamp.thread(stamp) & m;
                while (table[i] != 0) {
                    i = i + 1 & m;
                }
                table[i] = stamp;
            }
        }
        known = table;
    }
}
