package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;

/**
 * The hooks in the JDK's {@code CountedCompleter}, on which parallel streams are built. A task that has ended counts down the pending completions of
 * another; a thread that finds none pending goes on with what the others have left, and comes after all that have counted.
 *
 * <p>A thread records its work before it counts, and the count itself afterwards. A thread that finds none pending at that very moment misses the
 * count: the hook cannot tell it from one that will find none pending itself, if a program counts in another way.
 */
public final class Completers {
    private static final WeakTable COUNTED = new WeakTable();

    private Completers() {
    }

    /** Before the thread tries to count down. */
    public static void counts(Object completer) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                t.settle();
                t.pending = null;
                t.room(0);
                long variable = t.ids.next();
                t.event(EventCodes.WRITE, t.placeOf(JdkSites.PENDING), 0, variable);
                t.pendingStamp = t.last();
                t.pendingVariable = variable;
                t.pending = completer;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After the thread has tried to count down. */
    public static void counted(boolean hasCounted) {
        ThreadState t = null;
        try {
            if (hasCounted && Session.isArmed()) {
                t = Threads.current();
                Object completer = t.pending;
                t.pending = null;
                if (completer != null) {
                    Object known = COUNTED.find(completer);
                    Tasks.Ends counted = (Tasks.Ends) (known != null ? known : COUNTED.put(completer, new Tasks.Ends()));
                    counted.add(t.pendingStamp, t.pendingVariable);
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }

    /** After a thread has seen how many completions are pending, before it counts or goes on. */
    public static void sees(Object completer, int pending) {
        ThreadState t = null;
        try {
            Tasks.Ends counted = pending == 0 && Session.isArmed() ? (Tasks.Ends) COUNTED.find(completer) : null;
            if (counted != null) {
                t = Threads.current();
                t.settle();
                counted.follow(t, JdkSites.PENDING, JdkSites.LAST);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            if (t != null) {
                t.lostEvents++;
            }
        }
    }
}
