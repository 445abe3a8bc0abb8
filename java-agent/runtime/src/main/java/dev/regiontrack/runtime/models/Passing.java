package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;

/**
 * A call that acts on its receiver and on a collection or map that it is given ({@code addAll}), which is one event. The site of what it does with that is the
 * one after the receiver's two.
 */
final class Passing extends PendingOperation {
    /** What it does with the receiver; null if nothing is known of that. */
    private final PendingOperation receiver;
    private final PendingOperation argument;

    private Passing(Effect effect, PendingOperation receiver, PendingOperation argument, ThreadState t) {
        super(effect, t);
        this.receiver = receiver;
        this.argument = argument;
    }

    /** Both operations, each of which can be null; null if nothing would be recorded. If one would be, the other is part of that event, redundant or not. */
    static PendingOperation of(Effect effect, PendingOperation receiver, PendingOperation argument, ThreadState t) {
        if (isRedundant(receiver, t) && isRedundant(argument, t)) {
            return null;
        }
        // The receiver's operation knows which results it needs.
        return argument == null ? receiver : new Passing(receiver == null ? effect : receiver.effect, receiver, argument, t);
    }

    private static boolean isRedundant(PendingOperation o, ThreadState t) {
        PendingOperation own = o instanceof Looking ? ((Looking) o).operation() : o;
        return own == null || own instanceof Access && ((Access) own).isCovered(t);
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean followsMore = argument.followsMore(t);
        t.call.beginOfTwo(t);
        try {
            if (receiver != null) {
                // First, because it can write what the argument reads: list.addAll(list).
                receiver.end(isSo, isCounted, result, t, site);
            }
            if (!followsMore) {
                argument.follows(t);
            }
            argument.end(argument.effect.when == Effect.When.ALWAYS, false, null, t, site + 2);
        } finally {
            t.call.endOfTwo();
        }
        t.call.merge(t);
        t.call.end(t);
    }
}
