package dev.regiontrack.runtime.steering;

/**
 * The hold of a thread behind a step of a candidate, or before one, until others have passed theirs; it lasts while a thread is held in the block.
 */
final class Between extends Hold {
    private final After held;
    /** The number of steps that must have been passed. */
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
