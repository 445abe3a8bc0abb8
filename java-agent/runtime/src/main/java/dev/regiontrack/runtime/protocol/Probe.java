package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.bridge.Seam;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.shadows.Arrays;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.sites.Site;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * Lets a test observe every access, also filtered ones: one probe for each thread. The agent's jar has none.
 * {@link #ON} is a constant, so compiled hooks contain no code for probes. A test names its class, which is on the boot
 * class path, by {@link Seam#PROBE}.
 */
public abstract class Probe {
    private static final Probe FIRST = Seam.open(Seam.PROBE, Probe.class);
    public static final boolean ON = FIRST != null;

    /** Returns a thread's probe. */
    public static Probe of(Thread thread) {
        return FIRST.attached(thread);
    }

    /** For a read of a field that the first check found redundant; returns the value to use. */
    public static long filtered(Object o, ThreadState t, Site s, long value) {
        if (s.state == Site.PASS) {
            return value;
        }
        Shadow h = s.statics != null ? s.statics : (Shadow) Refs.get(o, s.shadowOffset());
        t.probe.at(t, h, s.slot, s.holder(o), s.fieldOffset, s.type);
        return t.probe.filtered(t, value);
    }

    /** The same for an element. */
    public static long filtered(Object array, int index, ThreadState t, long value) {
        char type = Memory.typeOf(array);
        t.probe.at(t, (Shadow) Arrays.known(array, index, t), index, array, Memory.element(type, index), type);
        return t.probe.filtered(t, value);
    }

    /** Between a hook and the program's access. */
    public static void between(ThreadState t) {
        if (ON) {
            t.probe.pause(t);
        }
    }

    /** The thread is between a hook and the program's access. */
    protected void pause(ThreadState t) {
        // A probe with another purpose does nothing here.
    }

    /** Makes a probe for a thread. */
    protected abstract Probe attached(Thread thread);

    /** The thread is about to access this variable, whose value is at this offset of {@code holder}. */
    protected abstract void at(ThreadState t, Shadow h, int slot, Object holder, long offset, char type);

    /** The result of a check of the variable's stamps: the covering stamp, the number of a variable with several readers, or 0. */
    protected abstract void covered(long stamp);

    /** The thread notes, with this stamp, that it has read a variable with several readers. */
    protected abstract void remembered(long shared, long cover);

    /** The read of this value is redundant and not recorded; returns the value to use. Values are raw bits. */
    public abstract long filtered(ThreadState t, long value);

    /** The read of this value, as raw bits, has renewed its stamp without the lock. */
    public abstract void renewed(ThreadState t, long value);

    /** The variable is locked for a write, which comes next. */
    protected abstract void replaces();

    /** The access is done, its variable still locked. */
    public abstract void locked(ThreadState t, boolean isWrite);
}
