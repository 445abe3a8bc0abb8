package dev.regiontrack.runtime.steering;

/**
 * The hold of a thread that has passed the last step: until the held thread has come to its last place. If both went on at once, calls of the library
 * could overlap, and be no events. It is over if the held thread waits, perhaps for a lock of this one, or has ended.
 */
final class Rest extends Hold {
    /** Some ten milliseconds: on a busy machine, a thread that has just been let go still sleeps for a while, as far as others can see. */
    private static final int LOOKS_AT_HELD = 50;

    private final Candidate candidate;
    private final Passage passage;
    private final Standstill held;

    Rest(Candidate candidate, After hold) {
        this.candidate = candidate;
        passage = hold.passage;
        held = new Standstill(hold.thread, LOOKS_AT_HELD);
    }

    @Override
    protected boolean isOver() {
        return candidate.isOver() || held.look();
    }

    @Override
    public boolean isMet() {
        return passage.isOver();
    }
}
