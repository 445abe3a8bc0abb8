package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.bridge.Unseen;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A call that does the same with each key of the collection or map that it is given. The keys are certain if the argument is immutable, or if it has
 * the same keys in the same order before and after the call: another thread would have to take one out and put it back meanwhile. Reading the keys
 * must run no code of the program and take no lock, and must terminate whatever other threads do. Otherwise, at most a change of the number of keys
 * is known.
 */
final class Bulk extends PendingOperation {
    /** With more keys, none is known: the agent would take longer than the call. */
    static final int MOST = 1 << 10;
    private static final Object[] NONE = {};
    /** Classes of mutable arguments whose keys can be read. */
    private static final Set<String> QUIET = Set.of("java.util.ArrayList", "java.util.Arrays$ArrayList", "java.util.HashSet", "java.util.LinkedHashSet", "java.util.HashMap",
        "java.util.LinkedHashMap", "java.util.concurrent.CopyOnWriteArrayList", "java.util.concurrent.CopyOnWriteArraySet");

    /** The object with the keys, if it is mutable; otherwise null. */
    private final Object argument;
    private final Object[] keys;
    /** The accesses to the keys; null if there are none. */
    private final Access first;
    /** The call's access to the thread's part of the number of keys, or null. */
    private final Access counted;

    private Bulk(Effect effect, Object argument, Object[] keys, Access first, Access counted, ThreadState t, int site) {
        super(effect, t);
        this.argument = argument;
        this.keys = keys;
        this.first = first;
        this.counted = counted;
        this.site = site;
    }

    /** Before a call with this argument; null if nothing will be known of its effect. */
    static PendingOperation begin(Effect effect, ModelledObject receiver, Object o, Object argument, ThreadState t, int site) {
        boolean isFixed = argument != null && ClassModel.of(argument.getClass()).isFixed;
        Object[] keys = argument == null ? NONE : keys(argument, isFixed, t);
        if (effect.loads()) {
            return new LoadsOfMany(effect, receiver, o, isFixed ? null : argument, keys, t, site);
        }
        if (keys.length == 0 && effect.counts == null) {
            return null;
        }
        Access counted = effect.counts == null ? null : Access.ofPart(Effect.COUNT, receiver, receiver.added().of(t), t);
        return new Bulk(effect, isFixed ? null : argument, keys, Access.ofKeys(effect, receiver, keys, t), counted, t, site);
    }

    private static Object[] keys(Object of, boolean isFixed, ThreadState t) {
        try (Inside inside = t.inside()) {
            Collection<?> all = !isFixed && !QUIET.contains(of.getClass().getName()) ? null : of instanceof Map ? ((Map<?, ?>) of).keySet() : (Collection<?>) of;
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
        } catch (RuntimeException e) {
            // Another thread changes it.
            Session.unseen(Unseen.OTHER_COLLECTIONS);
            return NONE;
        }
    }

    /** Whether the argument may have had other keys in between. */
    private boolean hasChanged(ThreadState t) {
        return first != null && hasChanged(argument, keys, keys.length, t);
    }

    /** The same for an argument that had the first {@code count} of these keys; null if it is immutable. */
    static boolean hasChanged(Object argument, Object[] keys, int count, ThreadState t) {
        if (argument == null || count == 0) {
            return false;
        }
        Object[] now = keys(argument, false, t);
        boolean isSame = areSame(keys, count, now);
        if (!isSame && now.length > 0) {
            Session.unseen(Unseen.OTHER_COLLECTIONS);
        }
        return !isSame;
    }

    static boolean areSame(Object[] then, int count, Object[] now) {
        boolean isSame = now.length == count;
        for (int i = 0; isSame && i < now.length; i++) {
            isSame = now[i] == then[i];
        }
        return isSame;
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        boolean followsMore = followsMore(t);
        // If the call could stop after some keys, or has written only one of several, it is unknown which.
        boolean hasStopped = effect.kind == Effect.Kind.READ && !isSo;
        boolean isChange = effect.kind != Effect.Kind.READ && isSo;
        boolean isWrite = effect.kind == Effect.Kind.WRITE && isSo && (effect.when == Effect.When.ALWAYS || keys.length == 1);
        boolean isKnown = first != null && !hasChanged(t);
        if (isChange && !isWrite && isKnown) {
            Session.unseen(Unseen.CHANGES);
        }
        t.call.begin(t);
        for (Access a = hasStopped || !isKnown ? null : first; a != null; a = a.next()) {
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
