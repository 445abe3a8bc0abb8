package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.steering.Hold;
import dev.regiontrack.runtime.steering.Place;

/** The hold of a thread until the first {@code until} switch points were passed. */
final class Turn extends Hold {
    /**
     * Some 60 milliseconds, before Java 21 a hundred: a thread that waits briefly, as for a lock or a class, must not make the run leave the
     * schedule.
     */
    static final int LOOKS = 100;

    private final Order order;
    private final int until;
    private final Place place;

    /** {@code place} is the place of the plan at or before which the thread waits; null in tests. */
    Turn(Order order, int until, Place place) {
        this.order = order;
        this.until = until;
        this.place = place;
    }

    @Override
    protected int mostLooks() {
        return LOOKS;
    }

    /** Whether points are no longer counted, or the test is over. */
    @Override
    protected boolean isOver() {
        return order.isOpen() || place != null && place.isOver();
    }

    @Override
    public boolean isMet() {
        return order.next() >= until;
    }
}
