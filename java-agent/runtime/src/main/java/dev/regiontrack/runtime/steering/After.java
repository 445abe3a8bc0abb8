package dev.regiontrack.runtime.steering;

import java.util.Enumeration;
import java.util.Iterator;

/**
 * A thread that is held in a block, until another one has passed the other place on the same object. Of a call of the library that can be another object than the one that
 * is called: an iterator, or a view, is one of its collection. Nobody knows of which, so it counts as one of any.
 */
final class After extends Hold {
    /** The object, or null for any. */
    private final Object object;
    private final int element;
    /** What is passed are calls of the library. */
    private final boolean isCall;
    /** Null in tests. */
    private final Candidate candidate;
    private volatile boolean isMet;
    /** Who has passed it, and as the how-many-th time; null if that is not known. */
    private volatile Passed by;

    After(Object object, int element, boolean isCall) {
        this(object, element, isCall, null);
    }

    After(Object object, int element, Candidate candidate) {
        this(object, element, candidate.first.isOfLibrary(), candidate);
    }

    private After(Object object, int element, boolean isCall, Candidate candidate) {
        this.object = object;
        this.element = element;
        this.isCall = isCall;
        this.candidate = candidate;
    }

    @Override
    protected boolean isOver() {
        return candidate != null && candidate.isOver();
    }

    /** Whether both accesses can be about one variable. */
    private boolean isSame(Object other, int at) {
        return object == null || other == null || object == other && element == at || isCall && object.getClass() != other.getClass() && (isPart(object) || isPart(other));
    }

    /** Whether an object of the library can belong to a collection. */
    private static boolean isPart(Object object) {
        return object instanceof Iterator || object instanceof Enumeration || object.getClass().getName().indexOf('$') >= 0;
    }

    /** The current thread has passed the other place, as {@code passed} says. */
    void pass(Object other, int at, Passed passed) {
        if (thread != Thread.currentThread() && isSame(other, at)) {
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
