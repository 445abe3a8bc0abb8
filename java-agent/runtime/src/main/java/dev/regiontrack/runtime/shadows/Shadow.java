package dev.regiontrack.runtime.shadows;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.protocol.Monitor;
import dev.regiontrack.runtime.protocol.Readers;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * The shadow of an object, of a class's statics or of a piece of an array: its id and, in the generated subclasses
 * {@code Shadow1}, {@code Shadow2}, ..., three words for each slot: {@code W}, {@code R} and the sites of both.
 *
 * <p>Only {@link dev.regiontrack.runtime.protocol.Protocol} and {@link Monitor} access its contents.
 */
public abstract class Shadow {
    public static final int WORDS = 24;
    public static final long OWNER = Memory.U.objectFieldOffset(Shadow.class, "owner");
    /** Offset of {@code R} and of the sites from {@code W}. */
    public static final int READ = 8;
    public static final int SITES = 16;

    /** The id, which is unique. */
    public final long id;
    /** The object; reveals a shadow field that was copied. Null if the shadow is not found through a field. */
    public final Object owner;
    /** Number of the first slot. */
    final int first;
    /** By slot, from the first: the readers since the last write, if {@code R} says that it is shared. */
    private Readers[] readers;
    /** Accessed only while the object's monitor is held. */
    public Monitor monitor;

    Shadow(long id, Object owner, int first) {
        this.id = id;
        this.owner = owner;
        this.first = first;
    }

    /** Returns the number of slots. */
    abstract int room();

    /** Returns the offset of a slot's {@code W}. */
    public final long offset(int slot) {
        return Shadows.BASE + (long) (slot - first) * WORDS;
    }

    /** Returns the shadow that has a slot: this one, or a piece of an array's shadow. */
    public Shadow piece(int slot) {
        return this;
    }

    /** In dependency mode: marks every slot as written by this thread, which alone has the shadow. */
    void writtenBy(ThreadState t, int site) {
        long me = t.last();
        for (int slot = first; slot < first + room(); slot++) {
            long at = offset(slot);
            Memory.U.putLong(this, at, me);
            Memory.U.putLong(this, at + READ, me);
            Memory.U.putLong(this, at + SITES, (long) site << 32 | site);
        }
    }

    /** Returns the readers of a slot, or null. */
    public final Readers readers(int slot) {
        Readers[] all = readers;
        return all == null ? null : all[slot - first];
    }

    /** The same for the slot whose {@code W} is at an offset. */
    public final Readers readersAt(long offset) {
        return readers(first + (int) (offset - Shadows.BASE) / WORDS);
    }

    /** Called under the slot's lock; other slots' readers can be set at the same time. */
    public final void setReaders(int slot, Readers value) {
        Readers[] all = readers;
        if (all == null) {
            if (value == null) {
                return;
            }
            synchronized (this) {
                all = readers;
                if (all == null) {
                    all = new Readers[room()];
                    Memory.U.storeFence();
                    readers = all;
                }
            }
        }
        all[slot - first] = value;
    }
}
