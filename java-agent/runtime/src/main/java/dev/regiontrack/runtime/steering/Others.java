package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.threads.Threads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Decides whether another thread can come at all: one of the program that runs, or sleeps for a time, and is not held. All others wait, perhaps for
 * what the held thread has.
 */
public final class Others {
    private static final String INNOCUOUS = "jdk.internal.misc.InnocuousThread";
    private static final String CARRIER = "jdk.internal.misc.CarrierThread";
    private static final String LAST = "DestroyJavaVM";

    private static final int MOST_LOOKS_ALONE = 1000;
    private static final long OLDEST = 1_000_000;

    /**
     * How often a look found no other thread, when it last did, and which thread looked: of another thread it says nothing. Threads that count at
     * the same time can lose a count.
     */
    private static int alone;
    private static long aloneAt;
    private static int aloneThread;
    /** Returns all live platform threads. */
    private static MethodHandle all;
    /** Returns the state of a thread, also if a program's own class overrides the method: its code must not run here. Null in tests. */
    private static MethodHandle state;
    /** Returns the carrier of a virtual thread; null where there are none. */
    private static MethodHandle carrier;

    private Others() {
    }

    /** Finds the platform's methods; without them, every thread counts as able to come. */
    static void find() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            all = lookup.findStatic(Thread.class, "getThreads", MethodType.methodType(Thread[].class));
            state = lookup.findSpecial(Thread.class, "getState", MethodType.methodType(Thread.State.class), Thread.class);
            try {
                carrier = lookup.findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
            } catch (NoSuchMethodException e) {
                carrier = null;
            }
            // Links the calls now, and not while the program holds its locks.
            canCome();
        } catch (ReflectiveOperationException e) {
            all = null;
            state = null;
        }
    }

    /** Whether the thread belongs to the program. */
    public static boolean isOfProgram(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        String type = thread.getClass().getName();
        return group != null && group.getParent() != null && !type.equals(INNOCUOUS) || type.equals(CARRIER);
    }

    /** Whether the thread is virtual: what other virtual threads do is unknown. */
    static boolean isVirtual(Thread thread) {
        return carrier != null && Threads.isVirtual(thread);
    }

    /**
     * Whether any other thread of the program is alive, whatever it does. A thread that asks repeatedly while there is none gets an answer that can
     * be a millisecond old.
     */
    static boolean areAny() {
        boolean isFrequent = alone > MOST_LOOKS_ALONE && aloneThread == System.identityHashCode(Thread.currentThread());
        if (isFrequent && System.nanoTime() - aloneAt < OLDEST) {
            return false;
        }
        boolean areAny = isAny(false);
        if (!areAny) {
            alone++;
            aloneThread = System.identityHashCode(Thread.currentThread());
            aloneAt = System.nanoTime();
        }
        return areAny;
    }

    /** Whether a thread that is not held can come. */
    static boolean canCome() {
        return isAny(true);
    }

    private static boolean isAny(boolean comes) {
        Thread self = Thread.currentThread();
        if (all == null || isVirtual(self)) {
            return true;
        }
        try {
            for (Thread thread : (Thread[]) all.invokeExact()) {
                boolean isMeant = thread != self && (!comes || isMoving(thread)) && isOfProgram(thread) && !thread.getName().equals(LAST);
                if (isMeant && !(comes && Hold.isHeld(thread))) {
                    return true;
                }
            }
            return false;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return true;
        }
    }

    private static boolean isMoving(Thread thread) {
        Thread.State now = state(thread);
        return now == Thread.State.RUNNABLE || now == Thread.State.TIMED_WAITING;
    }

    /** Returns what a thread does; {@code RUNNABLE} if that is unknown. */
    static Thread.State state(Thread thread) {
        try {
            return state == null ? thread.getState() : (Thread.State) state.invokeExact(thread);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return Thread.State.RUNNABLE;
        }
    }
}
