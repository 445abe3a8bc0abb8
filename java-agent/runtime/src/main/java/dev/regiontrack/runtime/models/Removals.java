package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * Tells whether an iterator over a concurrent map has removed what it has returned last: another thread can have removed it before, even during the
 * call, which returns nothing. The hooks are in the iterators' own classes.
 */
public final class Removals {
    private Removals() {
    }

    /** The map has removed what an iterator has returned last; {@code old} is what the map returned, null if it was gone. */
    public static void removed(Object old) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                t.hasRemoved = old != null;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** A call that removes a key, or has only looked for it. */
    static final class Call extends PendingOperation {
        private final Access access;

        Call(Effect effect, Access access, ThreadState t) {
            super(effect, t);
            this.access = access;
            t.hasRemoved = false;
        }

        @Override
        void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
            if (!t.hasRemoved) {
                access.counted = null;
            }
            access.end(t.hasRemoved, isCounted, result, t, site);
        }
    }
}
