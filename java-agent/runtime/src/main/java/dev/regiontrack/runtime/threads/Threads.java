package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.sites.JdkSites;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.vm.annotation.DontInline;

/**
 * The threads: the states of running ones, in a table, created at a thread's first event or by the thread that forks it; and
 * what is kept of dead threads.
 *
 * <p>A number is reused only by a thread whose starter depends on the last event of the thread that had it before, so that the
 * two are ordered anyway, and so is a join of the former; positions continue. If no number is left, threads share one: the run
 * is incomplete.
 */
public final class Threads {
    private static final long ID_OFFSET = Memory.U.objectFieldOffset(Thread.class, "tid");
    /** A cache, by thread id; {@link #RECORDS} has all threads. */
    private static volatile ThreadState[] table = new ThreadState[256];
    /** The {@link ThreadRecord} of each thread. */
    private static final WeakTable RECORDS = new WeakTable();
    /** Dead threads whose numbers can be reused. Its lock guards them and the numbers. */
    private static final ArrayDeque<ThreadRecord> FREE = new ArrayDeque<>();
    private static int numbers;
    /**
     * A run that learns for a profile reuses no number before there are this many: threads that run one after the other now may run side by side the
     * next time, so they must not be taken for one.
     */
    private static final int MANY = 1 << 16;
    /** Names that were described, each for one FORK. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Class initialisers without hooks that were reported; guarded by the numbers' lock. */
    private static final HashSet<String> UNSEEN = new HashSet<>();

    private Threads() {
    }

    /** Returns the state of the running thread. */
    public static ThreadState current() {
        Thread thread = Thread.currentThread();
        ThreadState[] all = table;
        ThreadState t = all[(int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1];
        return t != null && t.thread == thread ? t : find(thread);
    }

    /** Returns the state of the running thread; null if it has none so far. */
    public static ThreadState known() {
        ThreadRecord record = (ThreadRecord) RECORDS.find(Thread.currentThread());
        return record == null ? null : record.state;
    }

    /** Returns the state of the running thread; null while it is being made, under the lock. */
    public static ThreadState made() {
        Thread thread = Thread.currentThread();
        ThreadState[] all = table;
        ThreadState t = all[(int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1];
        return t != null && t.thread == thread ? t : Thread.holdsLock(FREE) ? null : find(thread);
    }

    @DontInline
    private static ThreadState find(Thread thread) {
        ThreadRecord record = (ThreadRecord) RECORDS.find(thread);
        ThreadState t = record == null ? null : record.state;
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
            ThreadRecord record = (ThreadRecord) RECORDS.find(thread);
            if (record != null) {
                ThreadState t = record.state;
                return t != null ? t : revive(record, thread);
            }
            ThreadRecord dead = reusable(starter);
            ThreadState t = dead == null ? ThreadState.of(number(), thread, 0, forked, site)
                : ThreadState.of(dead.number, thread, dead.position(), forked, site);
            RECORDS.put(thread, new ThreadRecord(t));
            t.enter();
            return t;
        }
    }

    /** Makes a second state for the running thread, with a number of its own. */
    static ThreadState second(ThreadState t) {
        try (Inside inside = t.inside()) {
            synchronized (FREE) {
                ThreadState c = ThreadState.of(number(), t.thread, 0, 0, 0);
                c.base = t;
                c.holder = t.holder;
                c.enter();
                return c;
            }
        }
    }

    /** Makes the running thread's hooks use this one of its states. */
    static void use(ThreadState t) {
        Thread thread = t.thread;
        ((ThreadRecord) RECORDS.find(thread)).state = t;
        remember(thread, t);
    }

    /** Returns the highest number that a thread has had so far. */
    public static int highest() {
        return numbers;
    }

    /** Returns a number that no thread has had. */
    private static int number() {
        if (numbers == Stamp.MAX_THREAD) {
            Session.lost("threads beyond 524287: not distinguished");
        } else {
            numbers++;
        }
        return numbers;
    }

    /**
     * For a thread that makes an event after its observed end: keeps its number or, if that is reused, takes a new one, ordered after its
     * last event.
     */
    private static ThreadState revive(ThreadRecord record, Thread thread) {
        FREE.remove(record);
        long last = record.position();
        ThreadState t = record.isHandedOn ? ThreadState.of(number(), thread, 0, last == 0 ? 0 : Stamp.of(record.number, last), 0)
            : ThreadState.of(record.number, thread, last, record.forked, 0);
        record.use(t);
        t.enter();
        return t;
    }

    /** Returns a dead thread whose number the new thread can reuse, or null. */
    private static ThreadRecord reusable(ThreadState starter) {
        if (ThreadState.LEARNS && numbers < MANY) {
            return null;
        }
        int tries = 8;
        for (ThreadRecord dead = FREE.peek(); starter != null && dead != null && tries-- > 0; dead = FREE.peek()) {
            FREE.poll();
            if (dead.isOverFor(starter) && dead.wasJoinedBefore(starter)) {
                dead.isHandedOn = true;
                return dead;
            }
            FREE.add(dead);
        }
        return null;
    }

    /**
     * A class initialiser without hooks begins or ends. While no second thread has been observed, it is ordered before
     * all others, by their forks; otherwise it counts as a method that is not observed.
     */
    public static void unseenInitializer(String name) {
        try (Inside inside = Platform.inside()) {
            reportInitializer(name);
        }
    }

    private static void reportInitializer(String name) {
        boolean isAlone;
        boolean isNew;
        synchronized (FREE) {
            isAlone = numbers <= 1 && !Session.isLate();
            isNew = UNSEEN.add(name + isAlone);
        }
        if (isNew && isAlone) {
            Session.tolerated("what " + name + ", too large for hooks, did before the program started a second thread");
        } else if (isNew) {
            Session.transport().describe(NativeBridge.FAILED, 1, name + ": with its hooks it would be larger than a method may be, and other threads ran");
        }
    }

    /** Before a new thread is started: the fork, on which the thread's first event will depend. */
    public static void fork(Thread child) {
        if (!Session.isArmed() || child instanceof OwnThread) {
            return;
        }
        StackSize.raise(child);
        Sampling.forks();
        ThreadState t = current();
        t.settle();
        t.room(0);
        try (Inside inside = t.inside()) {
            ThreadState c = create(child, t, t.forkStamp(), t.placeOf(JdkSites.FORK));
            if (c.thread == child) {
                c.scope = t.scope;
                c.origin = Origin.startedBy(t);
                t.forks(c, child);
            }
        }
    }

    /** Describes the name of a thread that is about to be started; returns the name's number. */
    static int describeName(Thread child) {
        int name = NAMES.incrementAndGet();
        Session.transport().describe(NativeBridge.THREAD, name, nameOf(child));
        return name;
    }

    /** After a join has returned: a join event, if the thread is dead and was observed. */
    public static void joined(Thread child) {
        if (!Session.isArmed() || child.isAlive()) {
            return;
        }
        ThreadRecord c = (ThreadRecord) RECORDS.find(child);
        if (c == null) {
            return;
        }
        ThreadState t = current();
        t.settle();
        t.room(0);
        synchronized (FREE) {
            t.joins(c, c.end());
        }
        t.settle();
    }

    /** The last action of a thread. */
    public static void exit(Thread thread) {
        ThreadRecord record = (ThreadRecord) RECORDS.find(thread);
        ThreadState t = record == null ? null : record.state;
        if (t == null) {
            return;
        }
        // The stack was too full to return from an initialiser.
        while (t.base != null) {
            t.base.settle();
            t = t.base;
        }
        ThreadState[] all = table;
        int at = (int) Memory.U.getLong(thread, ID_OFFSET) & all.length - 1;
        if (all[at] == t) {
            all[at] = null;
        }
        t.settle();
        t.passFence(0);
        t.inside();
        synchronized (FREE) {
            record.close();
            FREE.add(record);
            t.leave();
        }
    }

    /** Whether a thread is virtual. Some threads of the JVM itself count as well. */
    public static boolean isVirtual(Thread thread) {
        return thread.getClass() != Thread.class && thread.getClass().getName().startsWith("java.lang.");
    }

    /**
     * Returns the name for reports; for a thread without one, like most virtual threads, its number. Calls no method that a class of the program can
     * override.
     */
    static String nameOf(Thread thread) {
        String name = thread.getName();
        if (!name.isEmpty()) {
            return name;
        }
        return thread.getClass().getClassLoader() == null ? "thread #".concat(Long.toString(thread.getId())) : "a thread without a name";
    }
}
