package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * The hooks inside {@code Thread.interrupt} and where an interruption is seen. The interrupting thread hands the interruption over; the
 * call that clears the thread's flag takes it. Several interruptions set one flag, so the giver is certain only if all that may still be
 * pending are of one thread. An interruption that is cleared otherwise (by code of the JVM alone) still counts as pending, so less is
 * certain.
 */
public final class Interrupts {
    private static final Handovers.Place FLAGS = new Handovers.Place();

    private Interrupts() {
    }

    /** Before a thread is interrupted. */
    public static void interrupts(Object thread) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                Handovers.give(thread, FLAGS, t, t.placeOf(JdkSites.INTERRUPT), 0);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After the current thread's flag was read and cleared. */
    public static void cleared(boolean wasInterrupted) {
        if (wasInterrupted) {
            receive(Thread.currentThread(), true, false);
        }
    }

    /** After a thread's flag was read. */
    public static void asked(boolean isInterrupted, Object thread) {
        if (isInterrupted) {
            receive(thread, false, false);
        }
    }

    /**
     * An exception was made. If the JVM made it, or the code of threads, which does not read the flag in another way, the current thread's flag was
     * cleared. Other code reads the flag first.
     */
    public static void made(Object exception) {
        try {
            if (Session.isArmed() && exception.getClass() == InterruptedException.class && Handovers.isGiven(Thread.currentThread())) {
                StackTraceElement[] trace = trace((InterruptedException) exception);
                String origin = trace.length == 0 ? "" : trace[0].getClassName();
                if (origin.equals("java.lang.Object") || origin.equals("java.lang.Thread") || origin.equals("java.lang.VirtualThread")) {
                    receive(Thread.currentThread(), true, true);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The dependency is missed.
        }
    }

    private static StackTraceElement[] trace(InterruptedException exception) {
        ThreadState t = Threads.current();
        try (Inside inside = t.inside()) {
            return exception.getStackTrace();
        }
    }

    /** Carriers of virtual threads ask while they switch threads, when a hook must do nothing. */
    private static boolean isCarrier(Thread thread) {
        return thread.getClass().getName().equals("jdk.internal.misc.CarrierThread");
    }

    private static void receive(Object thread, boolean isTaken, boolean waits) {
        ThreadState t = null;
        try {
            if (Session.isArmed() && !isCarrier((Thread) thread) && Handovers.isGiven(thread)) {
                t = Threads.current();
                if (waits) {
                    t.settle();
                    t.waits();
                }
                Handovers.receive(thread, FLAGS, isTaken, t, t.placeOf(waits ? JdkSites.INTERRUPTED : JdkSites.FLAG));
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }
}
