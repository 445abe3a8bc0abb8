package dev.regiontrack.runtime.steering;

import java.util.Enumeration;
import java.util.Iterator;

/**
 * The hold of a thread in a block, until other threads have passed the steps of its candidate: the first step on the object of the block's first
 * place or, if the thread is held before its last place, the last step on the object of that. A call of the library may be on another object and
 * still conflict: an iterator or a view belongs to a collection, but it is unknown to which, so it counts as belonging to any.
 */
final class After extends Hold {
    /** The object, or null for any. */
    private final Object object;
    private final int element;
    /** Whether the passed places are calls of the library. */
    private final boolean isCall;
    /** Null in tests. */
    private final Candidate candidate;
    private final Step[] steps;
    /** By step: which thread has passed it, and for the how-many-th time. */
    private final Passed[] by;
    /** The other threads, by their number in the steps. */
    private final Thread[] runners;
    /** By step: the object that was accessed, or null. */
    private final Object[] objects;
    /** The number of steps passed. */
    private volatile int passed;
    private volatile boolean isGone;
    /** What becomes of the thread that is held. */
    final Passage passage = new Passage();
    /** The only step was on another object, which may or may not belong to the same collection. */
    private boolean isVague;

    After(Object object, int element, boolean isCall, Step... steps) {
        this(object, element, isCall, null, steps);
    }

    After(Object object, int element, Candidate candidate) {
        this(object, element, (candidate.isHeldBefore ? candidate.hold : candidate.first).isOfLibrary(), candidate, candidate.steps());
    }

    private After(Object object, int element, boolean isCall, Candidate candidate, Step... steps) {
        this.object = object;
        this.element = element;
        this.isCall = isCall;
        this.candidate = candidate;
        this.steps = steps;
        by = new Passed[steps.length];
        runners = new Thread[steps.length];
        objects = new Object[steps.length];
    }

    @Override
    protected boolean isOver() {
        return candidate != null && candidate.isOver();
    }

    /** Ends the hold: nobody is to wait for others any more, and what they pass does not count. */
    synchronized void go() {
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }

    /** Whether the object is that of the candidate's last place, before which the thread is held, and not that of the first. */
    private boolean isOfLast() {
        return candidate != null && candidate.isHeldBefore;
    }

    /** Whether both accesses may be to one variable. */
    private boolean isSame(Object other, int at) {
        return object == null || other == null || object == other && element == at || isCall && belong(object, other);
    }

    /** Whether one of two objects of the library may belong to the other, a collection. */
    private static boolean belong(Object one, Object other) {
        return one.getClass() != other.getClass() && (isPart(one) || isPart(other));
    }

    /** Whether an object of the library may belong to a collection. */
    private static boolean isPart(Object object) {
        return object instanceof Iterator || object instanceof Enumeration || object.getClass().getName().indexOf('$') >= 0;
    }

    /** Whether two objects may be the same, or a collection and a part of it. */
    private static boolean isAlike(Object one, Object other, Step step) {
        return one == other || step.place != null && step.place.isOfLibrary() && belong(one, other);
    }

    /**
     * The current thread has passed a place, which may be that of several steps, as {@code how} says. Returns the step whose turn it was, or null.
     */
    Step pass(Place place, Object other, int at, Passed how) {
        Thread current = Thread.currentThread();
        if (thread == current || isMet()) {
            return null;
        }
        synchronized (this) {
            if (isMet() || isGone) {
                return null;
            }
            Step step = turn(place, other, at, current);
            if (step != null) {
                for (int index = step.index + 1; index < passed; index++) {
                    by[index] = null;
                    objects[index] = null;
                }
                runners[step.runner] = current;
                by[step.index] = how;
                objects[step.index] = other;
                isVague = isCall && steps.length == 1 && object != null && other != null && object != other;
                passed = step.index + 1;
            }
            return step;
        }
    }

    /**
     * Finds the step at a place whose turn it is. That may be the first step of a thread that has only begun: another thread takes its place, since
     * it may act differently.
     */
    private Step turn(Place place, Object other, int at, Thread current) {
        for (int index = passed; index >= 0; index--) {
            Step step = steps[index];
            if (step.place == place && isOfItsObject(step, other, at) && isInTurn(step, current)) {
                return step;
            }
        }
        return null;
    }

    private boolean isInTurn(Step step, Thread current) {
        if (!step.isFirst) {
            return step.index == passed && runners[step.runner] == current;
        }
        for (int index = step.index; index < passed; index++) {
            if (steps[index].runner != step.runner) {
                return false;
            }
        }
        for (int runner = 0; runner < runners.length; runner++) {
            if (runners[runner] == current && runner != step.runner) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the step's access fits the objects so far: the same object as the first place or as earlier steps with its number, and another
     * than those of other numbers. If the thread is held before its last place, only the object of that is known.
     */
    private boolean isOfItsObject(Step step, Object other, int at) {
        // Others conflict with the last place by the last step, so both are on one object.
        int last = steps.length - 1;
        boolean isOfLast = isOfLast();
        if (isOfLast ? step.object == steps[last].object : step.object == 0) {
            return step.index == (isOfLast ? last : 0) ? isSame(other, at) : object == null || other == null || isAlike(object, other, step);
        }
        if (step.object < 0 || other == null) {
            return true;
        }
        if (other == object) {
            return false;
        }
        for (int index = 0; index < step.index; index++) {
            Object known = objects[index];
            if (known != null && steps[index].object >= 0 && (steps[index].object == step.object ? !isAlike(known, other, step) : known == other)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the current thread has passed a step, or may be the one whose turn it is at this place. */
    synchronized boolean isDueAt(Place place) {
        Thread current = Thread.currentThread();
        for (Thread runner : runners) {
            if (runner == current) {
                return true;
            }
        }
        int next = passed;
        return next < steps.length && steps[next].isFirst && (steps[next].place == place || steps[next].gate == place);
    }

    @Override
    public boolean isMet() {
        return passed == steps.length;
    }

    /** Whether it is unknown that the step was on the object: one of the two was an iterator or a view. */
    synchronized boolean isVague() {
        return isVague;
    }

    /** Returns the number of steps passed. */
    int passed() {
        return passed;
    }

    /** Returns who has passed a step; null if that is unknown. */
    synchronized Passed by(int step) {
        return by[step];
    }

    /** Returns the number of steps. */
    int steps() {
        return steps.length;
    }
}
