package dev.regiontrack.runtime.steering;

/** A thread that is held in a block, until another one has passed the other place on the same object. */
final class After extends Hold {
    /** The object, or null for any. */
    private final Object object;
    private final int element;
    private volatile boolean isMet;

    After(Object object, int element) {
        this.object = object;
        this.element = element;
    }

    /** The current thread has passed the other place. */
    void pass(Object other, int at) {
        if (thread != Thread.currentThread() && (object == null || other == null || object == other && element == at)) {
            isMet = true;
        }
    }

    @Override
    boolean isMet() {
        return isMet;
    }
}
