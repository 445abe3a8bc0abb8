package dev.regiontrack.runtime.steering;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A candidate: a block in which another thread may interfere, and its state while the program runs. Thread-safe. */
final class Candidate {
    /** The bridge's index. */
    final int index;
    /** Its index among the candidates of the plan. */
    final int number;
    /** The class and the name of the block's method. */
    final String blockType;
    final String blockMethod;
    final Place first;
    final Place hold;
    /** Whether the thread is held before it passes {@code hold}, which is then its last place, and not after it. */
    boolean isHeldBefore;
    /** Whether the other thread only looks, too, so that what interferes is what it does behind its place. */
    final boolean isLook;
    /** Whether the order of a hold was reported, and no thread is known to have come to the first place since. */
    volatile boolean isReported;
    /** The longest hold, in nanoseconds. */
    private final long bound;
    /** What other threads pass meanwhile, in order. */
    private Step[] steps = {};
    /** Its plan; null in tests. */
    Plan plan;
    /** The hold of a thread in the block; null if there is none. Two would wait for each other. */
    private final AtomicReference<After> held = new AtomicReference<>();
    /** The nanoseconds for which threads were held for it, or may be now. */
    final AtomicLong used = new AtomicLong();
    /** Which chances are used in the block, and before the other place. */
    final Pace inside;
    final Pace before = new Pace(0, 0);
    private volatile boolean hasOthers;
    /** Whether threads are held for it. If a schedule has switch points, only after the run has left it. */
    volatile boolean isOpen = true;

    Candidate(int index, int number, String block, Place first, Place hold, boolean isLook, long bound, Pace inside) {
        this.index = index;
        this.number = number;
        int open = block.indexOf('(');
        String method = open < 0 ? block : block.substring(0, open);
        int dot = method.lastIndexOf('.');
        blockType = dot < 0 ? "" : method.substring(0, dot);
        blockMethod = method.substring(dot + 1);
        this.first = first;
        this.hold = hold;
        this.isLook = isLook;
        this.bound = bound;
        this.inside = inside;
    }

    /** Sets the steps that others pass meanwhile. Must be called before the candidate is used. */
    void passes(Step... all) {
        Step.join(all);
        steps = all;
    }

    Step[] steps() {
        return steps;
    }

    /** Returns the longest time for the next hold, in nanoseconds. */
    long bound() {
        return inside.bound(bound);
    }

    /** Whether no thread is to be held for it any more. */
    boolean isOver() {
        return plan != null && plan.isOver();
    }

    /** Whether there has been another thread when one could be held. */
    boolean hasOthers() {
        if (!hasOthers) {
            hasOthers = Others.areAny();
        }
        return hasOthers;
    }

    /** Returns the hold of the thread in the block, or null. */
    After held() {
        return held.get();
    }

    /** Begins a hold. Returns false if another thread is held. */
    boolean begin(After hold) {
        return held.compareAndSet(null, hold);
    }

    /** Ends the hold: nothing more is passed in it. */
    void end(After hold) {
        hold.go();
        held.compareAndSet(hold, null);
    }
}
