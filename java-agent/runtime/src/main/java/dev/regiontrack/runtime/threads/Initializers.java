package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.EventCodes;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.sites.JdkSites;
import jdk.internal.vm.annotation.DontInline;

/**
 * Runs class initialisers, and what class loaders of the program do, apart from the block that was the first to need the class. What they do does not
 * belong to the block, but to a thread of its own, which ends before the block goes on. {@code analysis-core/src/filter/initializers.rs} is the
 * specification, and says why that invents no violation.
 *
 * <p>A thread has a second state for that, with a number of its own, which is the {@link Threads#current current} one meanwhile. There is no event
 * where the initialiser uses what the open blocks have accessed, or the locks that they have released. An initialiser that runs in a block of another
 * one gets a third state, and so on.
 */
public final class Initializers {
    private Initializers() {
    }

    /** A class initialiser begins. Returns the state for its hooks. */
    public static ThreadState begin() {
        return begin(false);
    }

    /** A class loader's method that loads a class begins. Returns the state for its hooks. */
    public static ThreadState beginLoading() {
        return begin(true);
    }

    private static ThreadState begin(boolean loads) {
        ThreadState t = Threads.current();
        try {
            t.settle();
            boolean isAside = t.depth > 0 && !t.isInside() && !t.held.isHeld() && Session.isArmed() && !Sampling.isEverywhere();
            if (isAside) {
                return aside(t, loads);
            }
            t.initializers++;
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The initialiser belongs to the block.
        }
        return t;
    }

    @DontInline
    private static ThreadState aside(ThreadState t, boolean loads) {
        ThreadState c = t.second;
        if (c == null) {
            c = Threads.second(t);
            t.second = c;
        }
        c.since = t.outermost();
        c.initializers = 1;
        c.loadsClass = loads;
        c.loading = t.loading;
        c.scope = t.scope;
        c.takenBefore = c.taken;
        c.hasWaited = false;
        t.isAway = true;
        t.bar();
        Threads.use(c);
        return c;
    }

    /**
     * The initialiser ends, normally or by an exception; {@code c} is the state that it got. If the stack is too full for that, the thread's next
     * hook in the block does it.
     */
    public static void end(ThreadState c) {
        try {
            if (c.initializers > 0 && --c.initializers == 0 && c.base != null) {
                c.settle();
                c.base.settle();
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            c.lostEvents++;
        }
    }

    /** Returns from the second state to the block, which goes on. */
    @DontInline
    static void back(ThreadState t) {
        ThreadState c = t.second;
        c.initializers = 0;
        t.isAway = false;
        t.bar();
        Threads.use(t);
        c.settle();
        if (c.hasWaited) {
            t.waits();
        }
        long variable = t.ids.next();
        c.room(0);
        int site = c.loadsClass ? JdkSites.LOADER : JdkSites.INITIALIZER;
        c.event(EventCodes.WRITE, site, 0, variable);
        // Among what came while a call of the block ran, only what came to the initialiser counts.
        int taken = t.taken + c.taken - c.takenBefore;
        t.room(0);
        t.depend(c.last(), site);
        t.event(EventCodes.READ, c.loadsClass ? JdkSites.LOADED : JdkSites.INITIALIZED, 0, variable);
        t.taken = taken;
    }
}
