package dev.regiontrack.runtime.steering;

/** A thread that is held in a block, until another one has passed the other place on the same object. */
final class After extends Hold {
    /** The object, or null for any. */
    private final Object object;
    private final int element;
    /** Null in tests. */
    private final Candidate candidate;
    private volatile boolean isMet;
    /** Who has passed it, and as the how-many-th time; null if that is not known. */
    private volatile Passed by;

    After(Object object, int element) {
        this(object, element, null);
    }

    After(Object object, int element, Candidate candidate) {
        this.object = object;
        this.element = element;
        this.candidate = candidate;
    }

    @Override
    protected boolean isOver() {
        return candidate != null && candidate.isOver();
    }

    /** The current thread has passed the other place, as {@code passed} says. */
    void pass(Object other, int at, Passed passed) {
        if (thread != Thread.currentThread() && (object == null || other == null || object == other && element == at)) {
            if (!isMet) {
                by = passed;
            }
            isMet = true;
        }
    }

    @Override
    public boolean isMet() {
        return isMet;
    }

    Passed by() {
        return by;
    }
}
