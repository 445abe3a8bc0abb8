package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Collection;
import java.util.Map;

/**
 * A call that does the same with each key of the collection or map that it is given. Which keys those are is certain only if nobody can change that. Otherwise it is
 * known at most that the number of keys has changed.
 */
final class Bulk extends PendingOperation {
    /** With more keys nothing is known of them: the agent would take longer than the call. */
    private static final int MOST = 1 << 10;
    private static final Object[] NONE = {};

    private final int keys;
    /** The accesses to the keys; null if there are none. */
    private final Access first;
    /** The call's access to the thread's part of the number of keys, or null. */
    private final Access counted;

    private Bulk(Effect effect, int keys, Access first, Access counted, ThreadState t, int site) {
        super(effect, t);
        this.keys = keys;
        this.first = first;
        this.counted = counted;
        this.site = site;
    }

    /** Before a call with this argument; null if nothing will be known of what it does. */
    static PendingOperation begin(Effect effect, ModelledObject receiver, Object argument, ThreadState t, int site) {
        Object[] keys = argument == null ? NONE : keys(argument, t);
        if (keys.length == 0 && effect.counts == null) {
            return null;
        }
        Access counted = effect.counts == null ? null : Access.ofPart(Effect.COUNT, receiver, receiver.added().of(t), t);
        return new Bulk(effect, keys.length, Access.ofKeys(effect, receiver, keys, t), counted, t, site);
    }

    private static Object[] keys(Object of, ThreadState t) {
        try (Inside inside = t.inside()) {
            Collection<?> all = !ClassModel.of(of.getClass()).isFixed ? null : of instanceof Map ? ((Map<?, ?>) of).keySet() : (Collection<?>) of;
            if (all == null || all.size() > MOST) {
                Session.unseen(Unseen.OTHER_COLLECTIONS);
                return NONE;
            }
            Object[] keys = all.toArray();
            for (Object key : keys) {
                if (key == null) {
                    return NONE;
                }
            }
            return keys;
        }
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean followsMore = followsMore(t);
        // Where it was enough for the call to look at some keys, or one of several was written, nobody knows which.
        boolean hasStopped = effect.kind == Effect.Kind.READ && !isSo;
        boolean isChange = effect.kind != Effect.Kind.READ && isSo;
        boolean isWrite = effect.kind == Effect.Kind.WRITE && isSo && (effect.when == Effect.When.ALWAYS || keys == 1);
        if (isChange && !isWrite && first != null) {
            Session.unseen(Unseen.CHANGES);
        }
        t.call.begin(t);
        for (Access a = hasStopped ? null : first; a != null; a = a.next()) {
            if (isWrite) {
                a.endWrite(followsMore, t, site + 1);
            } else {
                a.endRead(followsMore, t, site);
            }
        }
        if (isCounted) {
            counted.endWrite(followsMore, t, site + 1);
        }
        t.call.merge(t);
        t.call.end(t);
    }
}
