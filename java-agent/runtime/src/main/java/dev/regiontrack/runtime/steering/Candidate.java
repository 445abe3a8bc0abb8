package dev.regiontrack.runtime.steering;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A block that another thread may come into: what is known of it while the program runs. Any thread may call. */
final class Candidate {
    /** What the bridge calls it. */
    final int index;
    /** Its index among the candidates of the plan. */
    final int number;
    /** The method that is the block. */
    final String blockType;
    final String blockMethod;
    final Place first;
    final Place hold;
    /** The other thread only looks, too, so what interferes is what it does behind its place. */
    final boolean isLook;
    /** The longest hold, in nanoseconds. */
    final long bound;
    /** What others pass meanwhile, in their order. */
    private Step[] steps = {};
    /** Its plan; null in tests. */
    Plan plan;
    /** The thread that is held in the block; null if none is. Two would wait for each other. */
    private final AtomicReference<After> held = new AtomicReference<>();
    /** Nanoseconds in which threads were held for it, or may be. */
    final AtomicLong used = new AtomicLong();
    /** Which chances are used in the block, and before the other place. */
    final Pace inside;
    final Pace before = new Pace(0, 0);
    private volatile boolean hasOthers;
    /** Threads are held for it. Where a schedule has switch points, not before the run has gone another way than they say. */
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

    /** Others pass these meanwhile. Must be called before it is used. */
    void passes(Step... all) {
        Step.join(all);
        steps = all;
    }

    Step[] steps() {
        return steps;
    }

    /** True if nobody is to be held for it any more. */
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

    /** The thread that is held in the block, or null. */
    After held() {
        return held.get();
    }

    /** This thread is held from now on. False if another one is. */
    boolean begin(After hold) {
        return held.compareAndSet(null, hold);
    }

    /** The thread goes on. From now on nothing more is passed in this hold. */
    void end(After hold) {
        hold.go();
        held.compareAndSet(hold, null);
    }
}
