package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.threads.ThreadState;
import java.lang.ref.WeakReference;

/**
 * A call of a library's cache with several keys, such as {@code getAll}: it writes those that the cache has loaded in this thread meanwhile, whether
 * requested or also supplied by the loader, and reads the others, if they are known ({@link Bulk}).
 */
final class LoadsOfMany extends PendingOperation implements Loads.Call {
    private final ModelledObject receiver;
    /** Weak, so that the cache can be collected; null if it is unknown. */
    private final WeakReference<Object> cache;
    /** The object with the keys, if it is mutable; otherwise null. */
    private final Object argument;
    /** The requested keys, then those that the loader has also supplied. */
    private Object[] keys;
    private Access[] accesses;
    private final int asked;
    private int count;
    private boolean[] areLoaded;
    /** The thread's dependencies when it loaded the keys: later ones may have come after the effect. */
    private int[] taken;

    LoadsOfMany(Effect effect, ModelledObject receiver, Object o, Object argument, Object[] keys, ThreadState t, int site) {
        super(effect, t);
        this.receiver = receiver;
        Object known = LibraryKeys.cache(o, t);
        cache = known == null ? null : new WeakReference<>(known);
        this.argument = argument;
        this.site = site;
        this.keys = keys;
        asked = keys.length;
        count = asked;
        accesses = new Access[asked];
        areLoaded = new boolean[asked];
        taken = new int[asked];
        for (int i = 0; i < asked; i++) {
            accesses[i] = begin(keys[i], t);
        }
        t.loads.begin(this);
    }

    private Access begin(Object key, ThreadState t) {
        return Access.ofPart(effect, receiver, receiver.of(key, t), t);
    }

    @Override
    public boolean isOf(Object cache) {
        return this.cache != null && this.cache.get() == cache;
    }

    private int find(Object key) {
        int at = 0;
        while (at < count && !receiver.isSame(keys[at], key)) {
            at++;
        }
        return at;
    }

    @Override
    public void prepare(Object key, ThreadState t) {
        if (find(key) < count || count - asked >= Bulk.MOST) {
            return;
        }
        if (count == keys.length) {
            int more = 2 * count + 1;
            keys = java.util.Arrays.copyOf(keys, more);
            accesses = java.util.Arrays.copyOf(accesses, more);
            areLoaded = java.util.Arrays.copyOf(areLoaded, more);
            taken = java.util.Arrays.copyOf(taken, more);
        }
        accesses[count] = begin(key, t);
        keys[count] = key;
        count++;
    }

    @Override
    public void store(Object key, ThreadState t) {
        int at = find(key);
        if (at < count) {
            areLoaded[at] = true;
            taken[at] = t.taken;
        }
    }

    @Override
    void end(boolean isSo, boolean isCounted, Object result, ThreadState t, int site) {
        t.loads.end(this);
        boolean followsMore = followsMore(t);
        boolean areRead = effect.when != Effect.When.REFRESHED && !Bulk.hasChanged(argument, keys, asked, t);
        int now = t.taken;
        t.call.begin(t);
        for (int i = 0; i < count; i++) {
            if (areLoaded[i]) {
                accesses[i].endWrite(taken[i] != now, t, site + 1);
            } else if (areRead && i < asked) {
                accesses[i].endRead(followsMore, t, site);
            }
        }
        t.call.merge(t);
        t.call.end(t);
    }
}
