package dev.regiontrack.runtime.steering;

/**
 * The hold of a thread that has passed the last step: until the held thread has come to its last place. If both went on at once, calls of the library
 * could overlap, and be no events.
 */
final class Rest extends Hold {
    private final After held;

    Rest(After held) {
        this.held = held;
    }

    @Override
    protected boolean isOver() {
        return held.isOver();
    }

    @Override
    public boolean isMet() {
        return held.isThrough();
    }
}
