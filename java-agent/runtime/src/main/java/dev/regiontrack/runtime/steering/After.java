package dev.regiontrack.runtime.steering;

import java.util.Enumeration;
import java.util.Iterator;

/**
 * A thread that is held in a block, until others have passed the steps of its candidate, the first one on the same object. Of a call of the library that can be another object than the one
 * that is called: an iterator, or a view, is one of its collection. Nobody knows of which, so it counts as one of any.
 */
final class After extends Hold {
    /** The object, or null for any. */
    private final Object object;
    private final int element;
    /** What is passed are calls of the library. */
    private final boolean isCall;
    /** Null in tests. */
    private final Candidate candidate;
    private final Step[] steps;
    /** By step: who has passed it, and as the how-many-th time. */
    private final Passed[] by;
    /** By number of the other thread, who it is. */
    private final Thread[] runners;
    /** By step, of which object it was, or null. */
    private final Object[] objects;
    /** How many steps were passed. */
    private volatile int passed;
    private volatile boolean isGone;
    /** The only step was of another object, which can be of the same collection or not. */
    private boolean isVague;

    After(Object object, int element, boolean isCall, Step... steps) {
        this(object, element, isCall, null, steps);
    }

    After(Object object, int element, Candidate candidate) {
        this(object, element, candidate.first.isOfLibrary(), candidate, candidate.steps());
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

    /** The thread goes on: nobody is to wait for others any more, and what they pass does not count. */
    synchronized void go() {
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }

    /** Whether both accesses can be about one variable. */
    private boolean isSame(Object other, int at) {
        return object == null || other == null || object == other && element == at || isCall && belong(object, other);
    }

    /** Whether one of two objects of the library can belong to the other one, which is a collection. */
    private static boolean belong(Object one, Object other) {
        return one.getClass() != other.getClass() && (isPart(one) || isPart(other));
    }

    /** Whether an object of the library can belong to a collection. */
    private static boolean isPart(Object object) {
        return object instanceof Iterator || object instanceof Enumeration || object.getClass().getName().indexOf('$') >= 0;
    }

    /** Whether two objects can be one, or one of a collection and what belongs to it. */
    private static boolean isAlike(Object one, Object other, Step step) {
        return one == other || step.place != null && step.place.isOfLibrary() && belong(one, other);
    }

    /** The current thread has passed a place, which can be that of several steps, as {@code how} says. The step whose turn it was; null if it was the turn of none. */
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

    /** The step at a place whose turn it is; or the first one of a thread that has only begun, whose place another one takes, as that may do something else. */
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

    /** Whether a step is of the same object as the first place, or as those before it that are to be, and of another one than the others. */
    private boolean isOfItsObject(Step step, Object other, int at) {
        if (step.object == 0) {
            return step.index == 0 ? isSame(other, at) : object == null || other == null || isAlike(object, other, step);
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

    /** Whether the current thread has a step behind it, or can be the one whose turn it is at this place. */
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

    /** True if nobody knows whether what was passed was of the object: it was an iterator or a view, or is one. */
    synchronized boolean isVague() {
        return isVague;
    }

    /** How many steps were passed. */
    int passed() {
        return passed;
    }

    /** Who has passed a step; null if that is not known. */
    synchronized Passed by(int step) {
        return by[step];
    }

    /** How many steps there are. */
    int steps() {
        return steps.length;
    }
}
