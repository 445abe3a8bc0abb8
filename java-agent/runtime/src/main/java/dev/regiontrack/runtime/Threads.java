package dev.regiontrack.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads' states: found by a table of the running ones, made at a thread's first event or by the thread that forks it.
 *
 * <p>A number is used again only by a thread whose starter has depended on the last event of its former bearer, so that the
 * two are ordered anyway, and so is a join of the former; positions go on. Out of numbers, a thread shares none: the run is incomplete.
 */
public final class Threads {
    private static final long ID_OFFSET = Memory.U.objectFieldOffset(Thread.class, "tid");
    /** A cache, found by thread id; who is not there is in {@link #STATES}. */
    private static volatile ThreadState[] table = new ThreadState[256];
    private static final Foreign STATES = new Foreign();
    /** Dead threads' states whose numbers wait for a new bearer. */
    private static final ArrayDeque<ThreadState> FREE = new ArrayDeque<>();
    private static int numbers;
    /** Names that were described, each for one FORK. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    private Threads() {
    }

    /** The state of the running thread. */
    public static ThreadState current() {
        Thread thread = Thread.currentThread();
        ThreadState[] all = table;
        ThreadState t = all[(int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1];
        return t != null && t.thread == thread ? t : find(thread);
    }

    private static ThreadState find(Thread thread) {
        ThreadState t = (ThreadState) STATES.find(thread);
        if (t == null) {
            t = create(thread, null, 0, 0);
        }
        remember(thread, t);
        return t;
    }

    /** The table grows with the number of threads; a race loses only an entry of the cache. */
    private static void remember(Thread thread, ThreadState t) {
        ThreadState[] all = table;
        if (numbers * 2 > all.length && all.length < 1 << 16) {
            table = all = new ThreadState[all.length * 2];
        }
        all[(int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1] = t;
    }

    private static ThreadState create(Thread thread, ThreadState starter, long forked, int site) {
        synchronized (FREE) {
            ThreadState known = (ThreadState) STATES.find(thread);
            if (known != null) {
                return known;
            }
            ThreadState t = reuse(thread, starter, forked, site);
            if (t == null) {
                if (numbers == Stamp.MAX_THREAD) {
                    Session.transport().describe(NativeBridge.LOST, 1, "threads beyond 1048575: not told apart");
                } else {
                    numbers++;
                }
                t = new ThreadState(numbers, thread, 0, forked, site);
            }
            return (ThreadState) STATES.put(thread, t);
        }
    }

    private static ThreadState reuse(Thread thread, ThreadState starter, long forked, int site) {
        int tries = 8;
        for (ThreadState dead = FREE.peek(); starter != null && dead != null && tries-- > 0; dead = FREE.peek()) {
            FREE.poll();
            boolean isOver = dead.wasForkedBefore(starter) || dead.position > 0 && starter.hasDependedOn(Stamp.of(dead.number, dead.position));
            if (isOver && dead.wasJoinedBefore(starter)) {
                dead.isHandedOn = true;
                return new ThreadState(dead.number, thread, dead.position, forked, site);
            }
            FREE.add(dead);
        }
        return null;
    }

    /** Before a new thread is started: the fork, on which the thread's first event will depend. */
    public static void fork(Thread child) {
        if (!Session.isArmed()) {
            return;
        }
        ThreadState t = current();
        t.settle();
        t.room(8);
        ThreadState c = create(child, t, t.next(), Session.FORK_SITE);
        if (c.thread == child) {
            int name = NAMES.incrementAndGet();
            Session.transport().describe(NativeBridge.THREAD, name, nameOf(child));
            t.event(EventCodes.FORK, Session.FORK_SITE, name, c.number);
        }
    }

    /** After a join has returned: a join event, if the thread is dead and was observed. */
    public static void joined(Thread child) {
        if (!Session.isArmed() || child.isAlive()) {
            return;
        }
        ThreadState c = (ThreadState) STATES.find(child);
        if (c == null) {
            return;
        }
        ThreadState t = current();
        t.settle();
        t.room(8);
        synchronized (FREE) {
            if (c.position > 0) {
                // The dependency is the next event's: a number that another thread has by now cannot be named any more.
                t.depend(Stamp.of(c.number, c.position), t.next(), 0);
            }
            if (!c.isHandedOn) {
                c.joinedBy(t);
                t.event(EventCodes.JOIN, Session.JOIN_SITE, 0, c.number);
            }
        }
    }

    /** The last thing that a thread does. */
    public static void exit(Thread thread) {
        ThreadState t = (ThreadState) STATES.find(thread);
        if (t == null || t.thread != thread) {
            return;
        }
        t.close();
        ThreadState[] all = table;
        int at = (int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1;
        if (all[at] == t) {
            all[at] = null;
        }
        synchronized (FREE) {
            FREE.add(t);
        }
    }

    /** The name for reports; a subclass may override nothing of it. */
    static String nameOf(Thread thread) {
        return thread == null ? "" : thread.getName();
    }
}
