package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;

/**
 * The variable lock that a thread holds between a {@code lock...} hook and the unlocking hook. If an asynchronous
 * exception or a stack overflow comes in between, the thread's next hook finds the lock here and releases it.
 */
public final class HeldLock {
    private static final Unsafe U = Memory.U;

    /** The shadow whose word is locked; null if no lock is held. */
    private Object shadow;
    private long offset;
    /** The value that unlocking stores into {@code W}: its former value, or the stamp of the write. */
    public long word;

    public boolean isHeld() {
        return shadow != null;
    }

    /** Tries to lock a word whose value was {@code w}. Nothing is called between the compare-and-set and the note that the lock is held. */
    boolean take(Object h, long at, long w) {
        offset = at;
        word = w;
        if (!U.compareAndSetLong(h, at, w, w | Stamp.LOCK)) {
            return false;
        }
        shadow = h;
        return true;
    }

    /**
     * Unlocks. Drops the shadow, which refers to its object and would prevent its collection. Does nothing if no lock is held: the thread was made to
     * call another hook in between, which has found and released the lock.
     */
    public void release() {
        Object h = shadow;
        if (h != null) {
            U.putLongRelease(h, offset, word);
            shadow = null;
        }
    }
}
