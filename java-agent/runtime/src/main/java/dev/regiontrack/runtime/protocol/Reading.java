package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Arrays;

/** The locks that a thread holds in critical sections that have written nothing so far, the latest last, and the sites of their acquires. */
public final class Reading {
    private static final int FEWEST = 4;

    private Shadow[] locks = new Shadow[FEWEST];
    private int[] types = new int[FEWEST];
    private int[] sites = new int[FEWEST];
    private int count;

    public boolean isEmpty() {
        return count == 0;
    }

    /** Makes room for one more lock. */
    void room() {
        if (count == locks.length) {
            Shadow[] more = Arrays.copyOf(locks, 2 * count);
            types = Arrays.copyOf(types, 2 * count);
            sites = Arrays.copyOf(sites, 2 * count);
            locks = more;
        }
    }

    /** Adds a lock, for which there is room. */
    void add(Shadow lock, int type, int site) {
        locks[count] = lock;
        types[count] = type;
        sites[count] = site;
        count++;
    }

    /** Removes a lock that is released, or under which the thread writes. Makes no calls. */
    void remove(Shadow lock) {
        int i = count - 1;
        while (i >= 0 && locks[i] != lock) {
            i--;
        }
        if (i < 0) {
            return;
        }
        count--;
        for (; i < count; i++) {
            locks[i] = locks[i + 1];
            types[i] = types[i + 1];
            sites[i] = sites[i + 1];
        }
        locks[count] = null;
    }

    /** Forgets all locks: events may be lost, so no section is known to have only read. Makes no calls. */
    public void forget() {
        while (count > 0) {
            locks[--count] = null;
        }
    }

    /** The thread may be about to write: from now on these sections are ones that write. */
    public void end(ThreadState t) {
        while (count > 0) {
            int last = count - 1;
            Monitor.write(locks[last], types[last], t, sites[last]);
        }
    }
}
