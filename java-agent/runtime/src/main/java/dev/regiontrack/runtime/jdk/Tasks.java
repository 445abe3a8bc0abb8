package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import jdk.internal.misc.Unsafe;

/**
 * The hooks in the JDK's executors, futures and scopes of structured concurrency: a task is given to an executor and runs in another thread; a future
 * is completed in one thread and read in another. They are in the JDK's own classes, because tasks are often objects of these, and because only there
 * is it certain that a task that runs was taken from the executor.
 */
public final class Tasks {
    private static final Unsafe U = Memory.U;
    /** The mode in which a call tries to run what it has itself registered. */
    private static final int IN_CALL = 0;
    /** The number of a future's registrations that are inspected when it is completed. */
    private static final int MOST_REGISTERED = 64;
    /** The number of ends of workers that are kept for an executor. */
    private static final int MOST_ENDS = 1024;
    private static final WeakTable ENDS = new WeakTable();
    private static final WeakTable LEFT = new WeakTable();
    private static final String CONCURRENT = "java.util.concurrent.";
    /** The offsets of a future's result and of a fork-join task's status. */
    private static long resultOffset;
    private static long statusOffset;
    /** The classes of completions that any of several futures triggers, or that relay a result; the offsets of dependent futures. */
    private static Class<?> anyOf;
    private static Class<?> relay;
    private static long dependentOffset;
    private static long anyOffset;
    /**
     * The class of completions that are registered with one future; the offsets of a future's first registration and of a
     * registration's successor.
     */
    private static Class<?> ofOne;
    private static long stackOffset;
    private static long nextOffset;
    /** Whether there are scopes, for which tasks work. */
    private static volatile boolean hasScopes;
    /** Whether these offsets are known: 0 before the first use, -1 if they are not. */
    private static volatile int state;

    /**
     * A cache gives this task to its executor on its own, whichever of its methods was called: the caller has not handed anything over, and does not
     * wait for it.
     */
    private static final String UPKEEP = "com.github.benmanes.caffeine.cache.BoundedLocalCache$PerformCleanupTask";

    private Tasks() {
    }

    /** A future or a fork-join task was made. Only in a JVM to which the agent was attached. */
    public static void made(Object task) {
        try {
            if (Session.isArmed()) {
                Handovers.made(task);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // What the task hands over is missed.
        }
    }

    /** Before a task is given to an executor. */
    public static void given(Object task) {
        if (task != null) {
            boolean isUpkeep = task.getClass().getName().equals(UPKEEP);
            give(task, Handovers.TASKS, isUpkeep ? JdkSites.UPKEEP : JdkSites.SUBMIT, !isUpkeep);
        }
    }

    /** Before a task is given to a timer, which can run it repeatedly. */
    public static void scheduled(Object task) {
        if (task != null) {
            give(task, Handovers.TIMED, JdkSites.SUBMIT, true);
        }
    }

    /**
     * Before a task that the executor has made of something is given. It may be the continuation of a virtual thread, which the JVM gives during
     * a thread switch: then the hook must do nothing.
     */
    public static void givenFor(Object task, Object runnable) {
        if (runnable != null && !runnable.getClass().getName().startsWith("java.lang.")) {
            given(task);
        }
    }

    /** The executor refuses a task. */
    public static void refused(Object task) {
        withdraw(task, Handovers.TASKS);
    }

    /** Before an executor runs a task that it was given. */
    public static void taken(Object task) {
        begins(task, Handovers.TASKS);
        receive(task, Handovers.TASKS, true, JdkSites.RUN, false);
    }

    /** Before a timer runs a task. */
    public static void repeated(Object task) {
        begins(task, Handovers.TIMED);
        receive(task, Handovers.TIMED, false, JdkSites.RUN, false);
    }

    /** A task begins, and works for the scope of its giver; without a giver, for the thread's. */
    private static void begins(Object task, Handovers.Place place) {
        if (!hasScopes) {
            return;
        }
        ThreadState t = null;
        try {
            Object given = task == null ? null : Handovers.given(task);
            t = given == null ? Threads.known() : Threads.current();
            if (t != null) {
                t.beginsTask(given == null ? t.scope() : Handovers.scope(given, place));
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After an executor or a timer has run a task. */
    public static void ran() {
        if (!hasScopes) {
            return;
        }
        try {
            ThreadState t = Threads.known();
            if (t != null) {
                t.endsTask();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The next task has a scope of its own.
        }
    }

    /** From now on there are scopes. */
    public static void useScopes() {
        hasScopes = true;
    }

    /** Before a future is completed. */
    public static void completes(Object future) {
        give(future, Handovers.RESULTS, JdkSites.COMPLETE, false);
    }

    /**
     * Before a {@code CompletableFuture} is completed, which may turn out to be complete. Its constructor can have completed it without a
     * hook: then this is no gift, not even until the method returns.
     */
    public static void triesToComplete(Object future) {
        tries(future, false);
    }

    /** The same for a fork-join task. */
    public static void triesToEnd(Object task) {
        tries(task, true);
    }

    private static void tries(Object future, boolean isForked) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                boolean isOpen = isResolved() && (isForked ? U.getIntAcquire(future, statusOffset) >= 0 : Refs.getAcquire(future, resultOffset) == null);
                if (isOpen) {
                    Object gift = Handovers.give(future, Handovers.RESULTS, t, t.placeOf(JdkSites.COMPLETE), 0);
                    t.completed = t.fired == future ? null : gift;
                } else {
                    t.complete = future;
                    t.completed = null;
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.complete = future;
                t.lostEvents++;
            }
        }
    }

    /**
     * After the attempt. If the future was complete before, the thread has seen that, unless it only runs what a call has registered: that call may
     * have been faster, which no thread learns.
     */
    public static void completed(boolean hasCompleted, Object future) {
        if (!hasCompleted) {
            withdraw(future, Handovers.RESULTS);
            if (!isFired(future)) {
                seen(future);
            }
        }
    }

    private static boolean isFired(Object future) {
        try {
            return Session.isArmed() && Threads.current().fired == future;
        } catch (OutOfMemoryError | StackOverflowError e) {
            return false;
        }
    }

    /** The same, by the status before the attempt. */
    public static void was(int status, Object task) {
        completed(status >= 0, task);
    }

    /** After a thread has got a future's result, for which it may have waited. */
    public static void got(Object future) {
        receive(future, Handovers.RESULTS, false, JdkSites.GET, true);
    }

    /**
     * After a read of a future's result: null if it is not complete. A thread that runs what a call has registered does not learn whether another
     * thread has done so before.
     */
    public static void sees(Object future, Object result) {
        ThreadState t = null;
        try {
            Object given = result != null && Session.isArmed() ? Handovers.given(future) : null;
            if (given != null) {
                t = Threads.current();
                boolean isLate = t.registersAll && t.registered != null;
                if (!isLate && t.fired != future) {
                    Handovers.receiveInCall(given, Handovers.RESULTS, t, t.placeOf(JdkSites.ASK));
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** The same where the thread waits for the future. */
    public static void gets(Object future, Object result) {
        if (result != null) {
            got(future);
        }
    }

    /** After a read of the status of a fork-join task: negative if it is complete. */
    public static void sees(Object task, int status) {
        if (status < 0) {
            seen(task);
        }
    }

    /** After a read of another task's state: 0 if it is not complete, 1 if it is about to be. */
    public static void seesState(Object task, int state) {
        if (state > 1) {
            seen(task);
        }
    }

    /** The same for a fork-join task for which the thread waits. */
    public static void gets(Object task, int status) {
        if (status < 0) {
            got(task);
        }
    }

    /** After the wait. */
    public static void awaited(int status, Object task) {
        gets(task, status);
    }

    private static void seen(Object future) {
        receive(future, Handovers.RESULTS, false, JdkSites.ASK, false);
    }

    /**
     * A completion is made: the thread that completes a future will run it, to complete a dependent one. The dependent one stands for it: its result
     * is given soon anyway.
     */
    public static void registers(Object completion) {
        ThreadState t = null;
        try {
            Object dependent = Session.isArmed() && isResolved() ? dependent(completion) : null;
            if (dependent != null) {
                t = Threads.current();
                // Each of the futures of one call has a completion of its own.
                if (completion.getClass() != anyOf || !Handovers.isGivenBy(t, dependent, Handovers.DEPENDENTS)) {
                    t.registered = Handovers.give(dependent, place(completion), t, JdkSites.REGISTER, 0);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /**
     * A thread is about to run a future's registrations. If it has completed the future in the same call, those whose calls found the future not
     * complete come before the completion, and so before any thread that sees the completion. They do so before anything runs that may make events of its
     * own.
     */
    public static void firesAll(Object future) {
        ThreadState t = null;
        try {
            if (Session.isArmed() && isResolved()) {
                t = Threads.current();
                Handovers.Gift gift = (Handovers.Gift) t.completed;
                t.completed = null;
                if (gift != null && gift.isOf(Handovers.given(future)) && receivesAll(future, t)) {
                    gift.again(t);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** Orders the thread after the registrations with this future alone: each was made after a look at it. Returns whether there are any. */
    private static boolean receivesAll(Object future, ThreadState t) {
        boolean isAny = false;
        Object completion = Refs.getAcquire(future, stackOffset);
        for (int i = 0; completion != null && i < MOST_REGISTERED; i++) {
            if (completion.getClass().getSuperclass() == ofOne) {
                Object dependent = dependent(completion);
                Object given = dependent == null ? null : Handovers.given(dependent);
                if (given != null) {
                    Handovers.receiveOf(given, place(completion), false, false, t, t.placeOf(JdkSites.FIRE));
                    isAny = true;
                }
            }
            completion = Refs.getAcquire(completion, nextOffset);
        }
        return isAny;
    }

    /** Before a completion may run: in the call that has registered it, if the mode is 0. */
    public static void fires(Object completion, int mode) {
        try {
            if (Session.isArmed() && isResolved()) {
                Object dependent = dependent(completion);
                ThreadState t = Threads.current();
                t.fired = dependent;
                if (mode == IN_CALL) {
                    t.isRegistering = true;
                } else {
                    begins(dependent, place(completion));
                    receive(dependent, place(completion), false, JdkSites.FIRE, false);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The dependency is missed.
        }
    }

    /** After the completion may have run. Clears the reference, so that the thread keeps no future from being collected. */
    public static void fired(Object completion, int mode) {
        try {
            if (Session.isArmed()) {
                ThreadState t = Threads.current();
                t.fired = null;
                t.isRegistering &= mode != IN_CALL;
                if (mode != IN_CALL && isResolved()) {
                    ran();
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The next call ends it.
        }
    }

    /**
     * A call is about to register what completes one future after several others. After its first registration, the call comes before what it finds
     * complete: that can be complete because of the registration, and no thread learns what the call has found.
     */
    public static void registersAll(Object futures) {
        registersAll(true);
    }

    /** After the registrations. */
    public static void registeredAll(Object future) {
        registersAll(false);
    }

    private static void registersAll(boolean begins) {
        try {
            if (Session.isArmed()) {
                ThreadState t = Threads.current();
                t.registered = null;
                t.registersAll = begins;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The call counts as several calls, or what it finds next is missed.
        }
    }

    /** Returns the future that the completion completes, or null if it has run. */
    private static Object dependent(Object completion) {
        return Refs.get(completion, completion.getClass() == anyOf ? anyOffset : dependentOffset);
    }

    /**
     * A future can be completed by what the program has given and, afterwards, by a relay, which only passes a result on. There is one of each, or
     * those of one call.
     */
    private static Handovers.Place place(Object completion) {
        return completion.getClass() == relay ? Handovers.RELAYS : Handovers.DEPENDENTS;
    }

    /** Whether the fields are known. */
    private static boolean isResolved() {
        if (state == 0) {
            state = resolve() ? 1 : -1;
        }
        return state > 0;
    }

    /** Finds the fields, without which nothing is known of these futures. */
    private static boolean resolve() {
        try {
            resultOffset = U.objectFieldOffset(Class.forName(CONCURRENT + "CompletableFuture", false, null), "result");
            statusOffset = U.objectFieldOffset(Class.forName(CONCURRENT + "ForkJoinTask", false, null), "status");
            dependentOffset = U.objectFieldOffset(Class.forName(CONCURRENT + "CompletableFuture$UniCompletion", false, null), "dep");
            anyOf = Class.forName(CONCURRENT + "CompletableFuture$AnyOf", false, null);
            anyOffset = U.objectFieldOffset(anyOf, "dep");
            relay = Class.forName(CONCURRENT + "CompletableFuture$UniRelay", false, null);
            ofOne = Class.forName(CONCURRENT + "CompletableFuture$UniCompletion", false, null);
            stackOffset = U.objectFieldOffset(Class.forName(CONCURRENT + "CompletableFuture", false, null), "stack");
            nextOffset = U.objectFieldOffset(Class.forName(CONCURRENT + "CompletableFuture$Completion", false, null), "next");
            return true;
        } catch (ClassNotFoundException | InternalError e) {
            Session.tolerated("results of futures, whose fields have other names in this JVM");
            return false;
        }
    }

    /**
     * The ends of an executor's workers, or the like: stamps, and the variables that they have written. Guarded by its own lock, under which no
     * thread waits.
     */
    static final class Ends {
        private long[] stamps = new long[8];
        private long[] variables = new long[8];
        private int size;

        synchronized void add(long stamp, long variable) {
            // A worker reports its end before it is uncounted, and again at its exit, which is the later one.
            for (int i = size - 1; i >= 0; i--) {
                if (Stamp.thread(stamps[i]) == Stamp.thread(stamp)) {
                    stamps[i] = stamp;
                    variables[i] = variable;
                    return;
                }
            }
            if (size == stamps.length && size < MOST_ENDS) {
                stamps = java.util.Arrays.copyOf(stamps, 2 * size);
                variables = java.util.Arrays.copyOf(variables, 2 * size);
            }
            if (size < stamps.length) {
                stamps[size] = stamp;
                variables[size++] = variable;
            }
        }

        private synchronized Ends copy() {
            Ends copy = new Ends();
            copy.stamps = stamps.clone();
            copy.variables = variables.clone();
            copy.size = size;
            return copy;
        }

        /** Orders the thread after all of the ends. */
        void follow(ThreadState t, int write, int read) {
            Ends ends = copy();
            for (int i = 0; i < ends.size; i++) {
                if (Stamp.thread(ends.stamps[i]) != t.number) {
                    t.room(0);
                    t.depend(ends.stamps[i], write);
                    t.event(EventCodes.READ, t.placeOf(read), 0, ends.variables[i]);
                }
            }
            t.settle();
        }
    }

    /** A worker of an executor has no more tasks. */
    public static void ends(Object executor) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                t.settle();
                t.room(0);
                long variable = t.ids.next();
                t.event(EventCodes.WRITE, JdkSites.WORKER, 0, variable);
                Object known = ENDS.find(executor);
                Ends ends = (Ends) (known != null ? known : ENDS.put(executor, new Ends()));
                ends.add(t.last(), variable);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After a thread has checked whether all tasks and all workers of an executor have ended. */
    public static void terminated(boolean isTerminated, Object executor) {
        ThreadState t = null;
        try {
            Ends found = isTerminated && Session.isArmed() ? (Ends) ENDS.find(executor) : null;
            if (found != null) {
                t = Threads.current();
                t.settle();
                t.waits();
                found.follow(t, JdkSites.WORKER, JdkSites.TERMINATED);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /**
     * The threads that have ended in a scope of structured concurrency, until that is known. Guarded by its own lock, under which no thread
     * waits.
     */
    private static final class Left {
        private Thread[] threads = new Thread[4];
        private int size;

        private synchronized void add(Thread thread) {
            if (size == threads.length && size < MOST_ENDS) {
                threads = java.util.Arrays.copyOf(threads, 2 * size);
            }
            if (size < threads.length) {
                threads[size++] = thread;
            }
        }

        private synchronized Thread[] all() {
            Thread[] all = java.util.Arrays.copyOf(threads, size);
            threads = new Thread[4];
            size = 0;
            return all;
        }
    }

    /** A thread of such a scope has ended. The current thread is another one, the carrier of a virtual one, and has no events here. */
    public static void left(Object scope, Object thread) {
        try {
            if (Session.isArmed()) {
                Object known = LEFT.find(scope);
                Left left = (Left) (known != null ? known : LEFT.put(scope, new Left()));
                left.add((Thread) thread);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The dependency on the thread's end is missed.
        }
    }

    /** After a thread has checked whether all threads of a scope have ended. */
    public static void allLeft(boolean haveAll, Object scope) {
        try {
            Left left = haveAll && Session.isArmed() ? (Left) LEFT.find(scope) : null;
            if (left != null) {
                for (Thread thread : left.all()) {
                    Threads.joined(thread);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The dependency is missed.
        }
    }

    // ---- no handler makes a call: the call would throw again, and out of a future that is not complete yet

    private static void give(Object o, Handovers.Place place, int site, boolean starts) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                if (starts) {
                    t.settle();
                    t.waits();
                }
                Handovers.give(o, place, t, t.placeOf(site), 0);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    private static void withdraw(Object o, Handovers.Place place) {
        ThreadState t = null;
        try {
            if (o != null && Session.isArmed()) {
                t = Threads.current();
                if (t.complete == o) {
                    t.complete = null;
                } else {
                    Handovers.withdraw(o, place, t);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** The continuations of virtual threads are tasks without a giver. */
    private static void receive(Object o, Handovers.Place place, boolean isTaken, int site, boolean waits) {
        ThreadState t = null;
        try {
            Object given = o != null && Session.isArmed() ? Handovers.given(o) : null;
            if (given != null) {
                t = Threads.current();
                Handovers.receiveOf(given, place, isTaken, waits, t, t.placeOf(site));
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }
}
