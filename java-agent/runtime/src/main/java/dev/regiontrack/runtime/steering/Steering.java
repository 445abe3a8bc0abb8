package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.Origin;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * What the program calls at the places of the {@link Plan}, and nowhere else. The hooks of an access lie between the program's instruction and the
 * call behind it, so no lock of the runtime is held here.
 *
 * <p>Only time changes: whether or not a thread is held, everything found has really happened.
 */
public final class Steering {
    /** The element of an access that is to no array. */
    private static final int NO_ELEMENT = -1;
    private static final long NANOS_PER_MICRO = 1000;
    /** Ends the report of a hold before the other thread's place; the other ends that of a hold between two steps. */
    private static final String BEFORE = "\tb";
    private static final String BETWEEN = "\tw";
    /**
     * How long a thread may run alone, in nanoseconds: another one that only looked, or passed its place with a possibly different object; or the held
     * one on the way to its last place.
     */
    private static final long LONGEST_NEXT = 50_000_000;

    private static volatile Watcher watcher;

    private Steering() {
    }

    /** Sets a watcher for the places that threads pass, and are about to pass. Must be called before the runtime is armed. */
    public static void tell(Watcher to) {
        watcher = to;
    }

    /** Allows holds of any thread from now on for the candidate of a schedule with switch points. */
    public static void holdAny() {
        Plan.open();
    }

    /** Returns how often a thread has passed a place of the plan. */
    public static int times(ThreadState t, Place place) {
        Way way = (Way) t.steered;
        return way == null || way.plan != place.plan ? 0 : way.times(place);
    }

    // ---- called by instrumented code

    /** After an access to an object, which is null if the access is static; {@code element} is an index or -1. */
    public static void passed(Object object, int element, int number) {
        try {
            Place place = Plan.place(number);
            if (place != null) {
                pass(object, element, place);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // No thread is held then.
        }
    }

    /** After a place for which the object does not matter. */
    public static void passed(int number) {
        passed(null, NO_ELEMENT, number);
    }

    /**
     * After a call of a method with this descriptor that has the name of one whose monitor is a place. {@code lock} is the monitor's object, the
     * receiver or the class of a static method, or null if that is unknown; it shows whether the method is that one.
     */
    public static void returned(Object lock, String desc, int number) {
        try {
            Place place = Plan.place(number);
            if (place != null && place.isOfCall(desc) && (lock == null || lock instanceof Class || place.isOf(lock.getClass()))) {
                pass(lock, NO_ELEMENT, place);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // No thread is held then.
        }
    }

    /** Before a place. */
    public static void before(int number) {
        try {
            Place place = Plan.place(number);
            if (place != null) {
                comes(place);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // No thread is held then.
        }
    }

    /** Before an access to an object, which is null if the access is static; {@code element} is an index or -1. */
    public static void approaches(Object object, int element, int number) {
        try {
            Place place = Plan.place(number);
            ThreadState t = place == null ? null : running();
            if (t == null || t.isInInitializer() || !place.plan.isFor(t)) {
                return;
            }
            Way way = way(t, place.plan);
            for (Candidate c : place.approaches) {
                if (way.comesToLast(c, t.outermost())) {
                    hold(c, object, element, t);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // No thread is held then.
        }
    }

    /**
     * Before a call of a method with this descriptor that has the name of one whose monitor is a place. The receiver, null if the method is static,
     * shows whether it is that one.
     */
    public static void calls(Object receiver, String desc, int number) {
        try {
            Place place = Plan.place(number);
            if (place != null && place.isOfCall(desc) && (receiver == null || place.isOf(receiver.getClass()))) {
                comes(place);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // No thread is held then.
        }
    }

    // ---- implementation

    /**
     * Returns the state of the current thread. Null if no thread is to be held, or if the thread only asks what a method does: its reads are no
     * events then, and it may read the same once more.
     */
    private static ThreadState running() {
        ThreadState t = Session.isArmed() ? Threads.current() : null;
        return t == null || t.asking != 0 ? null : t;
    }

    private static void comes(Place place) {
        for (Candidate c : place.enters) {
            waitFor(c);
        }
        for (Step step : place.gates) {
            waitFor(step, place);
        }
        if (place.isAwaited && watcher != null) {
            ThreadState t = running();
            if (t != null && place.plan.isFor(t)) {
                watcher.comes(place, t);
            }
        }
    }

    private static void pass(Object object, int element, Place place) {
        ThreadState t = running();
        if (t == null) {
            return;
        }
        Way way = t.isInInitializer() || !place.plan.isFor(t) ? null : way(t, place.plan);
        if (way != null) {
            way.pass(place);
            for (Candidate c : place.lasts) {
                way.passLast(c);
            }
        }
        Candidate former = null;
        for (Step any : place.steps) {
            // The steps of a candidate are adjacent.
            After held = any.candidate == former ? null : any.candidate.held();
            former = any.candidate;
            if (held != null) {
                Step step = held.pass(place, object, element, way == null ? null : new Passed(t, way.times(place)));
                if (step != null && step.until > step.index && way != null) {
                    waitFor(step.candidate, new Between(held, step.until + 1), t);
                } else if (step != null && way != null && held.isMet() && !step.candidate.isLook && !held.isVague()) {
                    // That it rests uses up no chance to wait before its place.
                    waitFor(step.candidate, new Rest(step.candidate, held), LONGEST_NEXT, null, t);
                }
            }
        }
        if (way != null) {
            passInside(object, element, place, t, way);
            if (place.isWatched && watcher != null) {
                watcher.passed(place, way.times(place), t);
            }
        }
    }

    private static Way way(ThreadState t, Plan plan) {
        Way way = (Way) t.steered;
        if (way == null || way.plan != plan) {
            way = new Way(plan);
            t.steered = way;
        }
        return way;
    }

    private static void passInside(Object object, int element, Place place, ThreadState t, Way way) {
        for (Candidate c : place.holds) {
            if (way.isToBeHeld(c)) {
                int at = way.element(c);
                Object of = way.take(c);
                if (of != null) {
                    hold(c, Way.orAny(of), at, t);
                }
            }
        }
        for (Candidate c : place.firsts) {
            if (c.isHeldBefore) {
                way.passFirst(c, t.outermost());
                if (c.isReported) {
                    Passed.again(c, t);
                }
            } else if (c.hold == place) {
                way.passFirst(c);
                hold(c, object, element, t);
            } else {
                way.passFirst(c, object, element);
            }
        }
    }

    /** Holds the thread in the candidate's block, if that is worthwhile. */
    private static void hold(Candidate c, Object object, int element, ThreadState t) {
        // If a program calls the block before it starts its threads, that uses up no chance.
        if (!c.isOpen || c.held() != null || c.isOver() || Ending.hasBegun() || !c.hasOthers() || !c.inside.isDue() || !Others.isOfProgram(Thread.currentThread())) {
            return;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            if (!Others.areAny()) {
                return;
            }
            long start = System.nanoTime();
            long granted = Budget.take(c, Long.MAX_VALUE);
            if (granted == 0) {
                return;
            }
            try {
                OnStack stack = OnStack.of(c);
                if (!stack.mayBeHeld()) {
                    c.inside.looked();
                } else if (stack.isTooDeep()) {
                    c.inside.wasDeep();
                } else {
                    hold(c, new After(object, element, c), granted, t);
                }
            } finally {
                Budget.give(c, granted - (System.nanoTime() - start));
            }
        }
    }

    private static void hold(Candidate c, After hold, long granted, ThreadState t) {
        if (!c.begin(hold)) {
            return;
        }
        long start = System.nanoTime();
        int last = hold.steps() - 1;
        try {
            hold.await(granted);
            Passed next = c.isLook || hold.isVague() ? hold.by(last) : null;
            long left = granted - (System.nanoTime() - start);
            if (next != null && left > 0) {
                new Next(next.runner).await(Math.min(left, LONGEST_NEXT));
            }
        } finally {
            c.end(hold);
        }
        // A thread may have come after the time was over, and before this one went on.
        boolean isMet = hold.isMet();
        Passed by = hold.by(last);
        if (isMet) {
            ((Way) t.steered).wasMet(c, hold.passage);
        }
        c.inside.held(isMet);
        Session.transport().describe(NativeBridge.HELD, t.number, took(c, start, isMet, t));
        if (by != null && Origin.isOn()) {
            Passed.describe(c, t, (Way) t.steered, hold);
        }
    }

    private static String took(Candidate c, long start, boolean isMet, ThreadState t) {
        return Integer.toString(c.index) + '\t' + (System.nanoTime() - start) / NANOS_PER_MICRO + '\t' + (isMet ? 1 : 0) + '\t' + t.position;
    }

    /** Holds the thread before the other place, until another thread is held in the candidate's block. */
    private static void waitFor(Candidate c) {
        ThreadState t = c.held() == null && c.hasOthers() ? running() : null;
        if (t != null && c.before.isDue() && !isInBlock(c, t)) {
            waitFor(c, new Before(c), t);
        }
    }

    /** If a thread is held in the block: holds this one before a step of its own, until others have passed those before it. */
    private static void waitFor(Step step, Place at) {
        Candidate c = step.candidate;
        After held = c.held();
        ThreadState t = held != null && held.passed() < step.index && !held.isDueAt(at) ? running() : null;
        if (t != null && c.before.isDue() && !isInBlock(c, t)) {
            waitFor(c, new Between(held, step.index), t);
        }
    }

    /** Whether the thread is in the candidate's block, or may not be held because of the plan. */
    private static boolean isInBlock(Candidate c, ThreadState t) {
        if (t.isInInitializer() || !c.plan.isFor(t)) {
            return true;
        }
        Way way = (Way) t.steered;
        if (way == null || way.plan != c.plan || !way.isInside(c)) {
            return false;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            if (OnStack.isIn(c)) {
                c.before.looked();
                return true;
            }
        }
        // The thread has left the block without its last place, for example by an exception.
        way.leave(c);
        return false;
    }

    /** Holds a thread that is not the one in the block. */
    private static void waitFor(Candidate c, Hold hold, ThreadState t) {
        waitFor(c, hold, Long.MAX_VALUE, c.before, t);
    }

    /** The same for at most {@code most} nanoseconds; {@code pace}, if there is one, notes what became of the chance. */
    private static void waitFor(Candidate c, Hold hold, long most, Pace pace, ThreadState t) {
        if (c.isOver() || Ending.hasBegun() || !Others.isOfProgram(Thread.currentThread())) {
            return;
        }
        t.settle();
        try (Inside inside = t.inside()) {
            long start = System.nanoTime();
            long granted = Budget.take(c, most);
            if (granted == 0) {
                return;
            }
            try {
                if (OnStack.isFree()) {
                    boolean isMet = hold.await(granted);
                    if (pace != null) {
                        pace.held(isMet);
                    }
                    Session.transport().describe(NativeBridge.HELD, t.number, took(c, start, isMet, t) + (hold instanceof Before ? BEFORE : BETWEEN));
                } else if (pace != null) {
                    pace.looked();
                }
            } finally {
                Budget.give(c, granted - (System.nanoTime() - start));
            }
        }
    }
}
