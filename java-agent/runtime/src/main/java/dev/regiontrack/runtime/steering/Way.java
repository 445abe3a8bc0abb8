package dev.regiontrack.runtime.steering;

import java.lang.ref.WeakReference;

/** Where a thread is on its way through the blocks of the candidates. Used by its own thread alone. */
final class Way {
    /** By candidate: the object that was accessed at the first place, if the thread is to be held later; it keeps no object from being collected. */
    private final WeakReference<?>[] objects;
    private final int[] elements;
    /** By candidate: it has passed the first place, and not the last one since. */
    private final boolean[] isInside;

    Way(int candidates) {
        objects = new WeakReference<?>[candidates];
        elements = new int[candidates];
        isInside = new boolean[candidates];
    }

    /** The thread passes the first place. */
    void passFirst(Candidate c) {
        isInside[c.number] = true;
    }

    /** The same, and is to be held later. A null object stands for any. */
    void passFirst(Candidate c, Object object, int element) {
        isInside[c.number] = true;
        objects[c.number] = new WeakReference<>(object == null ? Way.class : object);
        elements[c.number] = element;
    }

    /** True if it has passed the first place and was not held since. */
    boolean isToBeHeld(Candidate c) {
        return objects[c.number] != null;
    }

    /** The object of the first place, once; null if it is gone. */
    Object take(Candidate c) {
        Object object = objects[c.number].get();
        objects[c.number] = null;
        return object;
    }

    int element(Candidate c) {
        return elements[c.number];
    }

    /** An object that stands for any. */
    static Object orAny(Object object) {
        return object == Way.class ? null : object;
    }

    /** True if it is between the first place and the last one. */
    boolean isInside(Candidate c) {
        return isInside[c.number];
    }

    /** The thread passes the last place. */
    void passLast(Candidate c) {
        isInside[c.number] = false;
        objects[c.number] = null;
    }
}
