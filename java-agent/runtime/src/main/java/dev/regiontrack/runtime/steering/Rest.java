package dev.regiontrack.runtime.steering;

/**
 * The hold of a thread that has passed the last step: until the held thread has come to its last place. If both went on at once, calls of the library
 * could overlap, and be no events. It is over if the held thread waits, perhaps for a lock of this one, or has ended.
 */
final class Rest extends Hold {
    private final Candidate candidate;
    private final Passage passage;
    private final Standstill held;

    Rest(Candidate candidate, After hold) {
        this.candidate = candidate;
        passage = hold.passage;
        held = new Standstill(hold.thread, LOOKS);
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
