package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Arrays;

/**
 * A call that accesses several variables, but is one event: what precedes one of its accesses precedes all that follows another.
 *
 * <p>Its accesses are recorded one after the other, so what precedes a later one would not precede what follows an earlier one. So once all are
 * recorded, those before the last are recorded again, unless nothing has come to them since: then they have that stamp already.
 * {@code analysis-core/src/protocol/steps.rs} is the specification. A thread has one such call at a time.
 */
public final class CallEvent {
    private static final int FEWEST = 16;
    /** A larger buffer is not kept. */
    private static final int MOST = 1 << 10;

    private Shadow[] shadows = new Shadow[FEWEST];
    private int[] slots = new int[FEWEST];
    private int[] sites = new int[FEWEST];
    private boolean[] areWrites = new boolean[FEWEST];
    private int count;
    /** The number of the thread's dependencies before the first access. */
    private int taken;
    /** Whether the call acts on two objects, on each like a call of its own. */
    private boolean isOfTwo;

    /** Begins the call: the thread's accesses are part of it from now on. */
    void begin(ThreadState t) {
        if (isOfTwo) {
            return;
        }
        t.settle();
        clear();
        taken = t.taken;
        t.step = t.position;
    }

    /** Adds an access that is recorded, or redundant. Keeps nothing for a call without further accesses. */
    void add(Shadow h, int slot, ThreadState t, int site, boolean isWrite) {
        if (t.step < 0) {
            return;
        }
        int n = count;
        if (n == slots.length) {
            shadows = Arrays.copyOf(shadows, 2 * n);
            slots = Arrays.copyOf(slots, 2 * n);
            sites = Arrays.copyOf(sites, 2 * n);
            areWrites = Arrays.copyOf(areWrites, 2 * n);
        }
        shadows[n] = h;
        slots[n] = slot;
        sites[n] = site;
        areWrites[n] = isWrite;
        count = n + 1;
    }

    /** All accesses are recorded: orders what precedes the later ones before the others, too. */
    void merge(ThreadState t) {
        if (isOfTwo || t.taken == taken) {
            return;
        }
        for (int i = 0; i < count - 1; i++) {
            t.settle();
            if (!Protocol.again(shadows[i], slots[i], t, sites[i], areWrites[i])) {
                Access.overlaps();
            }
        }
    }

    /** Ends the call. */
    void end(ThreadState t) {
        if (isOfTwo) {
            return;
        }
        t.step = -1;
        clear();
    }

    /** Begins a call that acts on two objects, until {@link #endOfTwo}. */
    void beginOfTwo(ThreadState t) {
        begin(t);
        isOfTwo = true;
    }

    /** Whether the call may get further accesses after those to its receiver. */
    boolean isOfTwo() {
        return isOfTwo;
    }

    /** Ends the call on both objects, also after an error. */
    void endOfTwo() {
        isOfTwo = false;
    }

    private void clear() {
        if (slots.length > MOST) {
            shadows = new Shadow[FEWEST];
            slots = new int[FEWEST];
            sites = new int[FEWEST];
            areWrites = new boolean[FEWEST];
        }
        for (int i = 0; i < count && i < shadows.length; i++) {
            shadows[i] = null;
        }
        count = 0;
    }
}
