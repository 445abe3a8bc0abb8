package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.EventCodes;

/**
 * In dependency mode, after an item has violated a block: the data that the block accesses in the critical section that it has just entered, and that
 * another thread has accessed before. The lock's dependency implies those dependencies, so there is no item for them. The thread reports the first
 * few to the reader, which decides what they mean.
 *
 * <p>The search ends with the section or the outermost block, or when enough was found.
 */
final class Sought {
    /** The most accesses that are reported. */
    private static final int MOST = 8;
    /**
     * What is reported of each access: its code, site, slot and object, the stamp and the site of the other thread's access, and those of the block's
     * own access that the other has replaced.
     */
    private static final int WORDS = 8;
    private static final int FIRST = 6;
    /** The dependencies of an access that are kept: on the last write and on the last reader; of several readers on the first. */
    private static final int FEW = 2;

    /** The event that has violated the block, and the begin of the outermost one. */
    private int code;
    private int extra;
    private long word;
    private long block;

    private final long[] stamps = new long[FEW];
    private final int[] sites = new int[FEW];
    private int crossed;

    private final long[] found = new long[MOST * WORDS];
    private int count;
    private int left;

    /** Begins a search: an item with this event has violated a block. */
    void begin(int itsCode, int itsExtra, long itsWord, long itsBlock) {
        code = itsCode;
        extra = itsExtra;
        word = itsWord;
        block = itsBlock;
        crossed = 0;
        left = MOST;
    }

    /** Notes a dependency of the next event, which is implied. */
    void crosses(long stamp, int site) {
        if (crossed < FEW) {
            stamps[crossed] = stamp;
            sites[crossed] = site;
            crossed++;
        }
    }

    /** Forgets the dependencies of an event. */
    void clear() {
        crossed = 0;
    }

    /** Handles an event. Returns false if the search is over. */
    boolean event(int itsCode, int site, int itsExtra, long itsWord, Epochs t) {
        if (t.outermost() != block || isOver(itsCode, itsExtra, itsWord)) {
            return false;
        }
        boolean isAccess = itsCode == EventCodes.READ || itsCode == EventCodes.WRITE;
        // The finds of another violation may not have been reported yet.
        for (int i = 0; i < crossed && isAccess && left > 0 && count < MOST; i++) {
            int at = count * WORDS;
            found[at] = itsCode;
            found[at + 1] = site;
            found[at + 2] = itsExtra;
            found[at + 3] = itsWord;
            found[at + 4] = stamps[i];
            found[at + 5] = sites[i];
            t.findReplaced(stamps[i], itsWord, itsExtra, found, at + FIRST);
            count++;
            left--;
        }
        crossed = 0;
        return left > 0;
    }

    /** Whether the event gives up the lock: for a monitor its release, for what represents a lock that readers share the next access to it. */
    private boolean isOver(int itsCode, int itsExtra, long itsWord) {
        if (itsWord != word) {
            return false;
        }
        return code == EventCodes.ACQUIRE ? itsCode == EventCodes.RELEASE : itsCode == EventCodes.READ && itsExtra == extra || itsCode == EventCodes.WRITE && itsExtra == extra;
    }

    /** Whether there is something to report. */
    boolean isFound() {
        return count > 0;
    }

    /** Returns what was found: a line for each access, with tabs between the words. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count * WORDS; i++) {
            text.append(found[i]).append(i % WORDS == WORDS - 1 ? '\n' : '\t');
        }
        return text.toString();
    }

    /** Clears what was reported. */
    void told() {
        count = 0;
    }
}
