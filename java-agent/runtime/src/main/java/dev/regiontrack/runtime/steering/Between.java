package dev.regiontrack.runtime.steering;

/** A thread that has passed a step of a candidate, or is before one, and waits until others have passed theirs: as long as one is held in the block. */
final class Between extends Hold {
    private final After held;
    /** So many steps are to be passed. */
    private final int until;

    Between(After held, int until) {
        this.held = held;
        this.until = until;
    }

    @Override
    protected boolean isOver() {
        return held.isOver() || held.isGone();
    }

    @Override
    public boolean isMet() {
        return held.passed() >= until;
    }
}
