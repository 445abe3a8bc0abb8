package dev.regiontrack.runtime.testing;

import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;

/**
 * Lets other threads run between a hook and the call around which it is, so that operations overlap on a machine with few processors, too: a probe, attached by
 * {@code -Dregiontrack.test.probe=dev.regiontrack.runtime.testing.Pauses}.
 */
public final class Pauses extends Probe {
    private long random;

    /** The first probe, which creates those of the threads. */
    public Pauses() {
        this(1);
    }

    private Pauses(long seed) {
        random = seed;
    }

    @Override
    protected Probe attached(Thread thread) {
        return new Pauses(88172645463325252L ^ thread.getName().hashCode());
    }

    @Override
    protected void pause(ThreadState t) {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        boolean isLong = (random & 63) == 0;
        int turns = isLong ? 16 : (random & 7) == 0 ? 1 : 0;
        if (t.held.isHeld()) {
            // A virtual thread that gives its carrier away might not get one again while others wait for the lock.
            for (int i = 0; i < turns * 64; i++) {
                Thread.onSpinWait();
            }
            return;
        }
        for (int i = 0; i < turns; i++) {
            Thread.yield();
        }
    }

    @Override
    protected void at(ThreadState t, Shadow h, int slot, Object holder, long offset, char type) {
        // Only pauses matter.
    }

    @Override
    protected void covered(long stamp) {
        // Only pauses matter.
    }

    @Override
    protected void remembered(long shared, long cover) {
        // Only pauses matter.
    }

    @Override
    public long filtered(ThreadState t, long value) {
        return value;
    }

    @Override
    public void renewed(ThreadState t, long value) {
        // Only pauses matter.
    }

    @Override
    protected void replaces() {
        // Only pauses matter.
    }

    @Override
    public void locked(ThreadState t, boolean isWrite) {
        // Only pauses matter.
    }
}
