package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.shadows.Arrays;
import dev.regiontrack.runtime.shadows.Layout;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Finds the variable of an access: returns the shadow; the caller knows the slot (the field's, or the element's index).
 * Keeps nothing in the thread's state, so code that runs in between (class loading, initialisers) can have hooks.
 */
public final class Variables {
    private static final Unsafe U = Memory.U;
    private static final long MASK = 0xffffffffL;

    private Variables() {
    }

    /**
     * The first check of a read, whose value was loaded before: true if nothing has to be recorded. {@code R} is loaded after the value; later loads
     * need not wait for it, because they read only this thread's own memory. One flat method: too large for C1 to inline, which would cost more time
     * than it saves, and small enough for C2.
     */
    public static boolean isCovered(Object o, ThreadState t, Site s) {
        long path = s.path;
        if (path == 0) {
            return s.state == Site.PASS;
        }
        Object h = Refs.get(o, path >>> 32);
        if (h == null) {
            return false;
        }
        U.loadFence();
        long r = U.getLong(h, path & MASK);
        if (Probe.ON) {
            t.probe.covered(r);
        }
        boolean isCovered = Stamp.isMine(r, t.seg) || SharedReads.contain(r, t);
        if (ThreadState.COUNTS && isCovered) {
            t.ring.fast++;
        }
        return isCovered;
    }

    /** The same for a static field. */
    public static boolean isCovered(ThreadState t, Site s) {
        long path = s.path;
        Shadow h = s.statics;
        if (path == 0 || h == null) {
            return s.state == Site.PASS;
        }
        return isCovered(h, path, t);
    }

    /** The same, for a variable whose {@code R} is at this offset. */
    static boolean isCovered(Object h, long readOffset, ThreadState t) {
        U.loadFence();
        long r = U.getLong(h, readOffset);
        if (Probe.ON) {
            t.probe.covered(r);
        }
        boolean isCovered = Stamp.isMine(r, t.seg) || SharedReads.contain(r, t);
        if (ThreadState.COUNTS && isCovered) {
            t.ring.fast++;
        }
        return isCovered;
    }

    /** The same for an array's element, if this thread has recently found the array. */
    public static boolean isCovered(Object array, int index, ThreadState t) {
        Object h = Arrays.known(array, index, t);
        return h != null && isCovered(h, Arrays.offset(index) + Shadow.READ, t);
    }

    /** The second check of a read: true if it is redundant after all. */
    public static boolean isCovered(Shadow h, int slot, ThreadState t) {
        long cover = Protocol.cover(h, slot, t);
        if (Probe.ON) {
            t.probe.covered(cover);
        }
        return cover != 0;
    }

    /** Returns the shadow of the variable of a field access; null if the field is not observed. */
    public static Shadow of(Object o, ThreadState t, Site s) {
        t.ring.slow++;
        t.settle();
        int state = s.resolved();
        if (state == Site.PASS) {
            return null;
        }
        Shadow h = s.statics;
        if (state == Site.FOREIGN) {
            h = Arrays.shadowOf(o, t).piece(s.slot);
        } else if (h == null) {
            h = (Shadow) Refs.getAcquire(o, s.shadowOffset());
            if (h == null || h.owner != o) {
                h = Layout.of(o.getClass()).shadowOf(o, t);
            }
        }
        if (Probe.ON) {
            t.probe.at(t, h, s.slot, s.holder(o), s.fieldOffset, s.type);
        }
        return h;
    }

    /** Returns the shadow of an array's element; null if there is no such element, or no other thread can reach the array. */
    @ForceInline
    public static Shadow of(Object array, int index, ThreadState t) {
        return array == t.lent ? null : ofElement(array, index, t);
    }

    private static Shadow ofElement(Object array, int index, ThreadState t) {
        t.ring.slow++;
        t.settle();
        if (array == null || index < 0 || index >= java.lang.reflect.Array.getLength(array)) {
            return null;
        }
        Shadow h = Arrays.shadowOf(array, t).piece(index);
        if (Probe.ON) {
            char type = Memory.typeOf(array);
            t.probe.at(t, h, index, array, Memory.element(type, index), type);
        }
        return h;
    }

    /**
     * In dependency mode, returns the field's shadow, if there is one: a read may then have no new dependency, so that its stamp is only renewed
     * ({@link Protocol#renew}). {@code path} is the site's.
     */
    public static Object renewable(Object o, ThreadState t, int site, long path) {
        Object h = ThreadState.EPOCHS && path != 0 && t.isSettled() ? ofObject(o, path) : null;
        if (Probe.ON && h != null) {
            announce(h, o, t, Site.of(site));
        }
        return h;
    }

    /** Returns the shadow that an object's field points to, if it is the object's own. Without a cast, which takes two loads. */
    @ForceInline
    private static Object ofObject(Object o, long path) {
        Object h = Refs.getAcquire(o, path >>> 32);
        return h == null || Refs.get(h, Shadow.OWNER) != o ? null : h;
    }

    /** The same for a static field. */
    public static Object renewable(ThreadState t, Site s) {
        Shadow h = ThreadState.EPOCHS && s.path != 0 && t.isSettled() ? s.statics : null;
        if (Probe.ON && h != null) {
            announce(h, null, t, s);
        }
        return h;
    }

    /** The same for an array's element. The index is within the array. */
    public static Object renewable(Object array, int index, ThreadState t) {
        Object h = ThreadState.EPOCHS && array != t.lent && t.isSettled() ? Arrays.piece(array, index, t) : null;
        if (Probe.ON && h != null) {
            announce(h, array, index, t);
        }
        return h;
    }

    /** Returns the offset of {@code R} from a path. */
    public static long readOffset(long path) {
        return path & MASK;
    }

    private static void announce(Object h, Object o, ThreadState t, Site s) {
        t.probe.at(t, (Shadow) h, s.slot, s.holder(o), s.fieldOffset, s.type);
    }

    private static void announce(Object h, Object array, int index, ThreadState t) {
        char type = Memory.typeOf(array);
        t.probe.at(t, (Shadow) h, index, array, Memory.element(type, index), type);
    }

    /**
     * In dependency mode, before a write of a field, returns its shadow if {@code R} seems to be this thread's, or no thread has accessed the field:
     * the write may then have no dependency, so that only stamps are stored.
     */
    public static Object own(Object o, ThreadState t, Site s) {
        long path = s.path;
        Object h = ThreadState.EPOCHS && path != 0 ? ofObject(o, path) : null;
        if (h == null || !isOwn(h, path & MASK, t)) {
            return null;
        }
        if (Probe.ON) {
            announce(h, o, t, s);
        }
        return h;
    }

    /** The same for an array's element. The index need not be within the array. */
    public static Object own(Object array, int index, ThreadState t) {
        if (!ThreadState.EPOCHS || array == null || array == t.lent || index < 0 || index >= java.lang.reflect.Array.getLength(array)) {
            return null;
        }
        Object h = Arrays.known(array, index, t);
        if (h == null || !isOwn(h, Arrays.offset(index) + Shadow.READ, t)) {
            return null;
        }
        if (Probe.ON) {
            announce(h, array, index, t);
        }
        return h;
    }

    @ForceInline
    private static boolean isOwn(Object h, long readOffset, ThreadState t) {
        long r = U.getLongOpaque(h, readOffset);
        return (Stamp.thread(r) == t.number || r == 0) && t.isSettled();
    }
}
