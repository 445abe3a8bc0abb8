package dev.regiontrack.runtime.models;

import dev.regiontrack.runtime.protocol.Protocol;
import dev.regiontrack.runtime.shadows.Shadow;
import dev.regiontrack.runtime.threads.ThreadState;
import java.util.Arrays;

/**
 * A call that accesses several variables, which is one event: what comes before one of its accesses comes before all that follows another.
 *
 * <p>Its accesses follow each other, so what comes to a later one would not be before what follows an earlier one. So when all are recorded, those before the last
 * are recorded once more, unless nothing has come to them since: then they have that stamp already. {@code analysis-core/src/protocol/steps.rs}
 * specifies it. A thread has one such call at a time.
 */
public final class CallEvent {
    private static final int FEWEST = 16;
    /** With more room than that nothing is kept. */
    private static final int MOST = 1 << 10;

    private Shadow[] shadows = new Shadow[FEWEST];
    private int[] slots = new int[FEWEST];
    private int[] sites = new int[FEWEST];
    private boolean[] areWrites = new boolean[FEWEST];
    private int count;
    /** How many dependencies the thread had before the first access. */
    private int taken;
    /** The call acts on two objects, each as a call of it would. */
    private boolean isOfTwo;

    /** From now on the accesses of the thread are of one call. */
    void begin(ThreadState t) {
        if (isOfTwo) {
            return;
        }
        t.settle();
        clear();
        taken = t.taken;
        t.step = t.position;
    }

    /** An access that is recorded, or redundant; of a call that makes no others, nothing is kept. */
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

    /** All accesses are recorded: what has come to the later ones comes to the others, too. */
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

    /** The call is over. */
    void end(ThreadState t) {
        if (isOfTwo) {
            return;
        }
        t.step = -1;
        clear();
    }

    /** From now on the accesses are of one call that acts on two objects, until {@link #endOfTwo}. */
    void beginOfTwo(ThreadState t) {
        begin(t);
        isOfTwo = true;
    }

    /** True if something more can come to the call after what it has done with its receiver. */
    boolean isOfTwo() {
        return isOfTwo;
    }

    /** Both are over. Comes also after an error. */
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
