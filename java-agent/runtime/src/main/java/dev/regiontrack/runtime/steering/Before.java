package dev.regiontrack.runtime.steering;

/** A thread that comes too early: it is held until another one is held in the block of the candidate. */
final class Before extends Hold {
    private final Candidate candidate;

    Before(Candidate candidate) {
        this.candidate = candidate;
    }

    @Override
    protected boolean isOver() {
        return candidate.isOver();
    }

    @Override
    public boolean isMet() {
        return candidate.held() != null;
    }
}
