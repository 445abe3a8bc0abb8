package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Hold;
import dev.regiontrack.runtime.steering.Place;

/** A thread that waits until so many switch points have been passed. */
final class Turn extends Hold {
    /** Some 60 milliseconds, before Java 21 a hundred: a thread that waits for a moment, as for a lock or a class, must not let the run go another way. */
    static final int LOOKS = 100;

    private final Order order;
    private final int until;
    private final Place place;

    /** At a place of the plan, or before it; null in tests. */
    Turn(Order order, int until, Place place) {
        this.order = order;
        this.until = until;
        this.place = place;
    }

    @Override
    protected int mostLooks() {
        return LOOKS;
    }

    /** From then on nobody counts what is passed, or the test is over. */
    @Override
    protected boolean isOver() {
        return order.isOpen() || place != null && place.isOver();
    }

    @Override
    public boolean isMet() {
        return order.next() >= until;
    }
}
