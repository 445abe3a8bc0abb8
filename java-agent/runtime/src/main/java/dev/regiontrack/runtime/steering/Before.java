package dev.regiontrack.runtime.steering;

/** The hold of a thread that comes too early, until another one is held in the candidate's block. */
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
