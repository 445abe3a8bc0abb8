package dev.regiontrack.runtime;

import jdk.internal.misc.Unsafe;

/**
 * The variable's lock that a thread holds between a {@code lock...} hook and the unlocking hook: set when the lock is
 * taken, cleared when it is released. If an asynchronous exception or a stack overflow comes in between, the thread's
 * next hook finds the lock here and releases it.
 */
final class HeldLock {
    private static final Unsafe U = Memory.U;

    /** The shadow whose word is locked; null if no lock is held. */
    private Object shadow;
    long offset;
    /** What unlocking stores into {@code W}: its value before, or the stamp of the write. */
    long word;

    /** A word is locked to be renewed: {@link #shadow} does not say whose it is. */
    boolean isRenewed;
    /** The shadow that the thread was renewing when its stack overflowed. Set where no call is allowed. */
    Object overflowed;

    boolean isHeld() {
        return shadow != null;
    }

    /** After an overflow of the stack: if a word was locked, the lock is held. */
    void adopt() {
        if (overflowed != null) {
            shadow = isRenewed ? overflowed : shadow;
            isRenewed = false;
            overflowed = null;
        }
    }

    /** Tries to lock a word whose value was {@code w}. Nothing is called between the exchange and the note that the lock is held. */
    boolean take(Object h, long at, long w) {
        offset = at;
        word = w;
        if (!U.compareAndSetLong(h, at, w, w | Stamp.LOCK)) {
            return false;
        }
        shadow = h;
        return true;
    }

    /** Unlocks a word that is being renewed. */
    void release(Object h) {
        U.putLongRelease(h, offset, word);
        isRenewed = false;
    }

    /** Unlocks. Drops the shadow, which refers to its object and would prevent its collection. */
    void release() {
        U.putLongRelease(shadow, offset, word);
        shadow = null;
    }
}
