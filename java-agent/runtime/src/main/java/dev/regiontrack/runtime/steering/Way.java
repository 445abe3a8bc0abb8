package dev.regiontrack.runtime.steering;

import java.lang.ref.WeakReference;

/** Where a thread is in the blocks of the candidates. Used by its own thread alone. */
final class Way {
    /** The plan of the candidates; null in tests. */
    final Plan plan;
    /** By candidate: the object that was accessed at the first place, if the thread is to be held later. Keeps no object from being collected. */
    private final WeakReference<?>[] objects;
    private final int[] elements;
    /** By candidate: whether the thread has passed the first place, and not the last one since. */
    private final boolean[] isInside;
    /** By candidate: the outermost block in which the thread has passed the first place, as {@code ThreadState.outermost} identifies it; 0 for none. */
    private final long[] blocks;
    /** By candidate: what others may wait for since the thread's hold was met, until it passes the last place. */
    private final Passage[] met;
    /** By candidate: how often it had passed the first place by the last time. */
    private final int[] firsts;
    /** By place: how often the thread has passed it. */
    private final int[] times;

    Way(Plan plan) {
        this(plan, plan.candidates(), plan.places());
    }

    Way(int candidates, int places) {
        this(null, candidates, places);
    }

    private Way(Plan plan, int candidates, int places) {
        this.plan = plan;
        objects = new WeakReference<?>[candidates];
        elements = new int[candidates];
        isInside = new boolean[candidates];
        blocks = new long[candidates];
        met = new Passage[candidates];
        firsts = new int[candidates];
        times = new int[places];
    }

    /** The thread passes the first place. */
    void passFirst(Candidate c) {
        isInside[c.number] = true;
        firsts[c.number] = times(c.first);
    }

    /** The same for a thread that is to be held before its last place; {@code block} is the outermost one around both. */
    void passFirst(Candidate c, long block) {
        passFirst(c);
        blocks[c.number] = block;
    }

    /**
     * Whether the thread has passed the first place in this outermost block. It may have passed the last place since: of another object, or in a call
     * within the one in question.
     */
    boolean comesToLast(Candidate c, long block) {
        return block != 0 && blocks[c.number] == block;
    }

    /** The same for a thread that is to be held later. A null object stands for any. */
    void passFirst(Candidate c, Object object, int element) {
        passFirst(c);
        objects[c.number] = new WeakReference<>(object == null ? Way.class : object);
        elements[c.number] = element;
    }

    /** Whether the thread has passed the first place and was not held since. */
    boolean isToBeHeld(Candidate c) {
        return objects[c.number] != null;
    }

    /** The thread passes a place. */
    void pass(Place place) {
        times[place.number]++;
    }

    /** Returns how often the thread has passed the place. */
    int times(Place place) {
        return times[place.number];
    }

    /** Returns how often it had passed the first place by the last time. */
    int first(Candidate c) {
        return firsts[c.number];
    }

    /** Returns the object of the first place, once; null if it is gone. */
    Object take(Candidate c) {
        Object object = objects[c.number].get();
        objects[c.number] = null;
        return object;
    }

    int element(Candidate c) {
        return elements[c.number];
    }

    /** Translates the object that stands for any to null. */
    static Object orAny(Object object) {
        return object == Way.class ? null : object;
    }

    /**
     * Whether the thread has passed the first place and not the last one since: it is between them, or has left the block
     * without passing the last.
     */
    boolean isInside(Candidate c) {
        return isInside[c.number];
    }

    /**
     * The thread passes the last place. It is still to be held if it has not come to the place for that: in the path that the candidate is about,
     * the last place comes after it. So the thread comes round again, or the call is another one of the same line.
     */
    void passLast(Candidate c) {
        isInside[c.number] = false;
        wasMet(c, null);
    }

    /** The thread's hold was met: others may wait until it has passed its last place. Nobody waits for an earlier one any more. */
    void wasMet(Candidate c, Passage passage) {
        if (met[c.number] != null) {
            met[c.number].end();
        }
        met[c.number] = passage;
    }

    /** The thread has left the block. */
    void leave(Candidate c) {
        isInside[c.number] = false;
        wasMet(c, null);
        objects[c.number] = null;
        blocks[c.number] = 0;
    }
}
