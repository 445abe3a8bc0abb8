package dev.regiontrack.runtime;

/**
 * Where the threads' rings go: the seam between the hooks and the reader of the records.
 *
 * <p>The native bridge is the real one ({@link NativeBridge}); tests drain in process. A ring is a piece of memory outside
 * the heap, laid out as {@link Ring} says, with one writer (its thread) and one reader.
 */
public interface Transport {
    /**
     * A new ring for a thread that makes its first event, or whose number is used again: {@code position} events of this
     * number were recorded before. Returns its address.
     */
    long open(int thread, long position, String name);

    /**
     * Waits until there is room for {@code records} more records after the published head. Returns the ring to go on
     * with: the same, or a larger one that is read after this one. Never fails: with the reader gone it discards.
     */
    long full(long ring, int records);

    /** The thread has ended: nothing more comes through this ring; it may be used again once it has been read. */
    void close(long ring);

    /** Names of sites, types and what was lost; see {@link NativeBridge#describe}. */
    void describe(int what, int number, String text);
}
