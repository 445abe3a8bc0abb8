package dev.regiontrack.runtime.bridge;

/**
 * The interface between the hooks, which write to the threads' rings, and the reader of the records.
 *
 * <p>The native bridge is the real one ({@link NativeBridge}); tests drain in process. A ring is a piece of memory outside
 * the heap, with the layout of {@link Ring}, one writer (its thread) and one reader.
 */
public interface Transport {
    /**
     * Opens a ring for a thread that makes its first event, or whose number is reused: {@code position} events of this
     * number were recorded before. Returns its address.
     */
    public long open(int thread, long position, String name);

    /**
     * Waits until there is room for {@code records} more records after the published head. Returns the ring in which to
     * continue: the same, or a larger one that is read after it. Never fails: without a reader it discards records. In
     * dependency mode the contents are no longer needed, and the room begins at the start.
     */
    public long full(long ring, int records);

    /**
     * In dependency mode: the buffer's first {@code records} are an item, whose event has this position. Returns true if it has
     * violated a block that counts; the stack is described afterwards. Called with a variable's lock held: throws nothing, waits
     * for no thread.
     */
    public boolean item(long buffer, int records, long position);

    /** In dependency mode: returns the address of at least {@code n} words in which the thread counts blocks by number; they keep their contents. */
    public long counters(long buffer, int n);

    /** Waits a moment for another thread; {@code gives}: lets another thread have the processor. Calls nothing of the platform that other agents may change. */
    public void pause(boolean gives);

    /** The thread has ended: it writes no more into this ring, which can be reused once it has been read. */
    public void close(long ring);

    /** Describes sites, types and losses; see {@link NativeBridge#describe}. */
    public void describe(int what, int number, String text);
}
