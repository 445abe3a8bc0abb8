package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bodies.Sampling;
import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.models.Atomic;
import dev.regiontrack.runtime.models.CallEvent;
import dev.regiontrack.runtime.models.ClassModel;
import dev.regiontrack.runtime.models.Entries;
import dev.regiontrack.runtime.models.LastStream;
import dev.regiontrack.runtime.models.Loads;
import dev.regiontrack.runtime.models.ModelledObject;
import dev.regiontrack.runtime.protocol.Dependencies;
import dev.regiontrack.runtime.protocol.HeldLock;
import dev.regiontrack.runtime.protocol.Probe;
import dev.regiontrack.runtime.protocol.Readers;
import dev.regiontrack.runtime.protocol.Reading;
import dev.regiontrack.runtime.protocol.Replaced;
import dev.regiontrack.runtime.protocol.Round;
import dev.regiontrack.runtime.protocol.SharedReads;
import dev.regiontrack.runtime.protocol.Stamp;
import dev.regiontrack.runtime.protocol.Wait;
import dev.regiontrack.runtime.profile.Learning;
import dev.regiontrack.runtime.shadows.Arrays;
import java.util.function.Consumer;
import jdk.internal.vm.annotation.DontInline;

/**
 * A running thread: its number, position and segment, and the parts that its hooks use. Used only by its own thread,
 * except the position, which is read once the thread is dead. A method looks it up once and keeps it in a local.
 * {@link Threads} creates and finds the states.
 *
 * <p>What happens to an event depends on the mode, which is chosen at the start: all events are recorded
 * ({@link Recording}), or only those with a new dependency leave the thread ({@link Epochs}). Only one of the two classes
 * is loaded, so compiled hooks call its methods directly.
 */
public abstract class ThreadState {
    /** Whether every access is counted. If not, compiled hooks have no code for it. */
    public static final boolean COUNTS = Session.counts();
    /** Whether only dependencies leave the threads. */
    public static final boolean EPOCHS = Session.takesDependencies();
    /** Whether fences are events. If not, compiled hooks have no code for them. */
    public static final boolean FENCES = Session.takesFences();

    /** Whether a block begins for others only once it has an event: where few places are watched, most blocks have none. */
    static final boolean BEGINS_LATE = EPOCHS && Learning.isGuided() && Session.isNested();

    /**
     * How many renewals a thread makes for each check of which {@link dev.regiontrack.runtime.protocol.Readers} it renews its stamp in: a power of
     * two. Tests check more often. It is here because the property must be read at the start; a security manager of the program would see a later
     * read.
     */
    public static final int RENEWALS = Integer.getInteger("regiontrack.test.renewals", 256);

    /**
     * Whether parts of the program run without hooks: nothing can be left to a thread's next hook, and the other ends of what is seen may be missing.
     */
    public static final boolean IS_PARTIAL = Sampling.isOn() || Learning.isGuided();
    /** Whether the run learns for a profile. If not, compiled hooks have no code for it. */
    public static final boolean LEARNS = Learning.isOn();

    private static final int[] NO_SCOPES = new int[0];

    /** 1 to {@link Stamp#MAX_THREAD}. */
    public final int number;
    /** The thread; null once it has ended. */
    volatile Thread thread;
    /** The position of its last event. */
    public long position;
    /** The segment: accesses with this stamp, or a later one of this thread, are in it. */
    public long seg;
    /** The number of open blocks. */
    int depth;
    /** How many of them, from the outermost, have begun for others, and have a position. Equal to {@link #depth} unless blocks begin late. */
    int placed;
    /**
     * In dependency mode: a block can begin at once if fewer are open; 0 if shortcuts are barred, because the thread waits, owes ends, or has not
     * taken its fork.
     */
    int limit;

    public final RingWriter ring;
    public final Dependencies dependencies = new Dependencies();
    /** Where the run learns: the ends of the threads that it has joined. Otherwise null. */
    private final Dependencies joined = LEARNS ? new Dependencies() : null;
    /** Address of the table of {@link #sharedReads}, and the number of its entries, less one. */
    public long sharedTable;
    public long sharedMask;
    public final SharedReads sharedReads;
    /** In dependency mode: the accesses of others that this thread's have replaced; null until there is one. */
    public Replaced replaced;
    /** As a {@link #holder}: the number of locks that it holds, except those that readers share. */
    public int locks;
    /**
     * As a {@link #holder}: whether that number is incomplete, because the thread has used locks that readers share, or an end of a section was
     * not seen.
     */
    public volatile boolean hasOtherLocks = IS_PARTIAL;
    /** The data of the violation that an item of the thread has shown; null until there is one. */
    Sought sought;
    public final HeldLock held = new HeldLock();
    public final Wait wait = new Wait();
    public final Reading reading = new Reading();
    public final Ids ids = new Ids();
    /** A cache of entries of {@link Arrays}' table, by hash, which grows; and its misses since it last grew. */
    public WeakTable.Entry[] arrays = new WeakTable.Entry[Arrays.FEWEST_KNOWN];
    public int missed;
    /** A cache of entries of the table of {@link dev.regiontrack.runtime.models.ObjectTable}, by hash. */
    public final WeakTable.Entry[] objects = new WeakTable.Entry[128];
    /** The number of renewals of stamps among several readers, and where the thread made one at the last check. */
    public int renewals;
    public Object renewed;
    /** The models of the last receivers' classes, by method. */
    public final ClassModel[] models = new ClassModel[16];
    /** The operation that runs while its variable is locked. */
    public final Atomic atomic = new Atomic();
    /** What the thread looks for among the keys of a map. */
    public final ModelledObject.Wanted wanted = new ModelledObject.Wanted();
    public final LastStream stream = new LastStream();
    /** The entries that the thread may have. */
    public final Entries entries = new Entries();
    /** The accesses of a call that has several. */
    public final CallEvent call = new CallEvent();
    /** The probe that a test has attached, or null. */
    public final Probe probe;

    /** In an initialiser that runs in a block: the state of that block, and the stamp with which the outermost open block begins. Otherwise null. */
    ThreadState base;
    long since;
    /** The state that holds the locks that the thread takes, whichever of its states is in use. */
    public ThreadState holder = this;
    /** The state for initialisers that run in the thread's blocks; null until there is one. */
    ThreadState second;
    /** Whether the second state is in use. */
    boolean isAway;
    /** The number of nested initialisers, and of class loaders' methods, that run with this state. */
    int initializers;
    /** Whether the first of these is a class loader's method. */
    boolean loadsClass;
    /** The value of {@link #taken} when the first of these began. */
    int takenBefore;
    /** Whether the thread has waited for others since then. */
    boolean hasWaited;

    private final Inside inside = new Inside();
    /** The number of calls that the thread is in by which classes are loaded. */
    public int loading;
    /**
     * The running call of the JDK by which the program hands something over or receives it: a bit for each of the
     * {@link dev.regiontrack.runtime.sites.JdkSites} at which it can do so, and below them the first of its own sites, one for each of these.
     */
    public long handing;
    /** An array that has not escaped the method that allocated it, during a call to a method that does not let it escape. */
    public Object lent;
    /** A future that was complete when the thread began to complete it. */
    public Object complete;
    /** The gift of its last completion of a future, until the thread runs what is registered with the future. */
    public Object completed;
    /** The gift that the thread has followed last. */
    public Object followed;
    /**
     * The registration of the thread's last call of a future, and whether that call reads results meanwhile, or registers something with several
     * futures.
     */
    public Object registered;
    public boolean isRegistering;
    public boolean registersAll;
    /** What the thread is to complete, or has tried to, by running a registration. */
    public Object fired;
    /** The task whose pending completions the thread is about to count down, and what it has recorded before that. */
    public Object pending;
    public long pendingStamp;
    public long pendingVariable;
    /** The semaphore of which the thread has last begun to acquire permits, and how many were acquired by then. */
    public Object attempted;
    public long attempt;
    /** The phaser at which the thread is arriving; the arrival's stamp, variable and site. */
    public Object arriving;
    public long arrived;
    public long arrivedVariable;
    public int arrivedSite;
    /** The position before the first event of a call whose events form one step, or -1. */
    public long step = -1;
    /**
     * In dependency mode: whether reads are {@link #TENTATIVE} now, or were until some time ago, so that their stamps are still in the variables
     * ({@link #SETTLED}); otherwise 0.
     */
    public int round;
    public static final int TENTATIVE = 1;
    static final int SETTLED = 2;
    /** The tentative reads; null until there was one. */
    public Round reads;
    /** Whether the next write has also read: it took place because of what it found. */
    public boolean isUpdate;
    /**
     * The number of dependencies that its events have had, except implied ones and the fork: the fork precedes everything, whichever event takes it.
     */
    public int taken;
    /** How many of these were on threads that gave an element which a queue hands over among others. */
    public int drained;
    /** An iterator over a concurrent map has removed the element that it returned last. */
    public boolean hasRemoved;
    /** What the room {@code steering} keeps of the thread; null unless the run is steered. */
    public Object steered;
    /** How the thread was started; null until it is needed. */
    volatile Origin origin;
    /** Calls in progress that can make a library's cache load keys. */
    public final Loads loads = new Loads();
    /** Stamp of its fork, until its first event depends on it. */
    public long forked;
    final int forkedSite;
    /** Ends that could not be recorded in time. */
    int owedEnds;
    /** Events lost since the last report. */
    public int lostEvents;
    /** The same for a monitor exit whose hook had no stack: instrumented code sets it to 1, without a call, and to 0 after each entry. */
    public int lostExit;
    /**
     * The site that asks, while the thread asks a method what it will ask again, so that the method's reads are no events
     * ({@link dev.regiontrack.runtime.hooks.Asking}); otherwise 0. Instrumented code sets it to 0, without a call.
     */
    public int asking;
    /** If fences are events: whether the thread has written since its last fence event. */
    boolean isUnfenced;
    /** The scope for which the thread works, a part of the run such as a test; 0 for none. */
    int scope;
    /** The scope that was last reported to the reader. */
    int knownScope;
    /** While tasks run, the innermost last: the scopes for which the thread worked before. */
    private int[] outerScopes = NO_SCOPES;
    private int tasks;
    /** For tests: the number of calls that have asked whether they are watched. */
    private long asked;
    /** Whether the reader is to learn the thread's stack, because of one of the two fields below, or the data that were {@link #sought}. */
    public boolean owesStack;
    /** Whether the last event has violated a block. */
    boolean isViolated;
    /** The watched place that the thread has reached, if methods on the way there may have no hooks; 0 once it is reported. */
    int calledAt;

    /** {@code position} is that of this number's last event so far. */
    ThreadState(int number, Thread thread, long position, long forked, int forkedSite) {
        this.number = number;
        this.thread = thread;
        this.position = position;
        this.forked = forked;
        this.forkedSite = forkedSite;
        ring = new RingWriter(number, position, thread);
        sharedReads = new SharedReads(this);
        probe = Probe.ON ? Probe.of(thread) : null;
    }

    /** Makes the state of a thread; {@code last} is the position of the last event of the thread that had the number before, or 0. */
    static ThreadState of(int number, Thread thread, long last, long forked, int forkedSite) {
        return EPOCHS ? new Epochs(number, thread, last, forked, forkedSite) : new Recording(number, thread, last, forked, forkedSite);
    }

    /** Returns the stamp of the last event. */
    public final long last() {
        return Stamp.of(number, position);
    }

    /** Returns the program's site for what the JDK's own code is about to do at {@code site}, or {@code site} if that is unknown. */
    public final int placeOf(int site) {
        int kinds = (int) (handing >>> 32);
        int kind = 1 << site;
        return (kinds & kind) == 0 ? site : (int) handing + Integer.bitCount(kinds & kind - 1);
    }

    public final boolean isMine(long stamp) {
        return Stamp.isMine(stamp, seg);
    }

    /** For tests: whether the thread's next call is watched. {@code pattern} holds a number from 0 to 100 per cent, and a seed in its lower bits. */
    public final boolean isChosen(long pattern) {
        long x = (asked++ << 20 ^ number) * 0x9e3779b97f4a7c15L + pattern * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 30) * 0x94d049bb133111ebL;
        return ((x ^ x >>> 31) >>> 33) % 100 < pattern % 1000;
    }

    // ---- scopes

    /** Returns the scope for which the thread works, in its events from now on. */
    public final int scope() {
        return scope;
    }

    /** Makes the thread work for another scope. Returns the former one. */
    public final int worksFor(int other) {
        int former = scope;
        scope = other;
        return former;
    }

    /** Begins a task, which works for this scope. */
    public final void beginsTask(int other) {
        if (tasks == outerScopes.length) {
            outerScopes = java.util.Arrays.copyOf(outerScopes, 4 + 2 * tasks);
        }
        outerScopes[tasks++] = scope;
        scope = other;
    }

    /** Ends a task. One that began before there were scopes has no scope to restore. */
    public final void endsTask() {
        if (tasks > 0) {
            scope = outerScopes[--tasks];
        }
    }

    // ---- initialisers

    /** Whether the thread runs an initialiser that belongs to no block around it. */
    public final boolean isInInitializer() {
        return base != null;
    }

    /** Whether the stamp is of a block of this thread that goes on when the initialiser is over. */
    public final boolean isOfBlock(long stamp) {
        for (ThreadState t = this; t.base != null; t = t.base) {
            if (Stamp.thread(stamp) == t.base.number && (stamp & Stamp.POSITION) >= t.since) {
                return true;
            }
        }
        return false;
    }

    /** Whether the stamp is of this thread, in any of its states. */
    final boolean isOfSame(long stamp) {
        int thread = Stamp.thread(stamp);
        for (ThreadState t = base; t != null; t = t.base) {
            if (t.number == thread) {
                return true;
            }
        }
        for (ThreadState t = this; t != null; t = t.second) {
            if (t.number == thread) {
                return true;
            }
        }
        return false;
    }

    /** {@link #isOfBlock} for one of several reads. */
    public final boolean hasReadInBlock(Readers readers) {
        for (ThreadState t = this; t.base != null; t = t.base) {
            if (isOfBlock(readers.of(t.base.number) & ~Stamp.LOCK)) {
                return true;
            }
        }
        return false;
    }

    // ---- the table of threads; called under its lock

    /** The thread has this number now. */
    abstract void enter();

    /** The thread has ended. */
    abstract void leave();

    // ---- events: room, then dependencies, then the event

    /** Makes room for an event with a few dependencies, and one on each of this many readers. Can wait, so no lock may be held. */
    public abstract void room(int readers);

    /** The same, for an access that may turn out to be a read, or no event: while reads are tentative, they stay so. */
    public void roomToLook(int readers) {
        room(readers);
    }

    /** Begins a round: from here on, reads are tentative. Where all events are recorded, there are no rounds. */
    public void beginRound() {
        // Nothing to do.
    }

    /** If reads are tentative: what they have read has no consequence, so they were no events. No lock may be held. */
    public void withdrawReads() {
        // Nothing to do.
    }

    /** If reads are tentative: what they have read has consequences, so they become events. Locks of variables can be held. */
    public void useReads() {
        // Nothing to do.
    }

    /** The same, and removes their stamps from the variables. No lock may be held. */
    public void useRound() {
        // Nothing to do.
    }

    /** Whether there still is that room. */
    public abstract boolean hasRoom(int readers);

    /** Makes the next event depend on the one with this stamp, unless that is this thread's, or implied. */
    public abstract void depend(long stamp, int site);

    /** Puts the next event after the one with this stamp where all events are put in one order, without a dependency. */
    public void comesAfter(long stamp) {
        // Nobody sees the order of events that are handed over separately.
    }

    /** Like {@link #depend}, for a dependency on a read. After a join it says nothing about what threads share. */
    public final void dependOnRead(long stamp, int site) {
        if (!hasJoined(stamp)) {
            depend(stamp, site);
        }
    }

    /** Where the run learns: whether this thread has joined the stamp's thread, so that the dependency is implied. */
    public final boolean hasJoined(long stamp) {
        return LEARNS && (joined.imply(stamp) || isOfSame(stamp));
    }

    /** Where the run learns: notes the end of a thread that it joins. */
    final void join(long end) {
        joined.add(end);
    }

    /** Makes an event; its dependencies were given before. Afterwards {@link #last} is its stamp. */
    public abstract void event(int code, int site, int extra, long word);

    /**
     * Makes an event. If the stack overflows before it is recorded, throws; if afterwards, returns the error to throw after
     * the remaining work, which must not make calls.
     */
    public abstract StackOverflowError tryEvent(int code, int site, int extra, long word);

    /** Begins a block; returns the number of enclosing ones. If that overflows the stack, the method does not run, and no block stays open. */
    public abstract int begin(int block);

    /** Where blocks begin late: begins all open blocks, before an event in them. Returns false if the stack is too full. */
    abstract boolean place();

    /** Returns an identity of the outermost block among those of the thread: the position of its begin, or 0 outside any block. */
    public abstract long outermost();

    /**
     * Ends a block, in {@code outer} others, and inner ones that are still open because the stack was too full to end them. If it still is, the
     * thread's next hook does this.
     */
    public abstract void end(int block, boolean byException, int outer);

    /** Ends the innermost block, whose number is not known, because an exception left its method. */
    abstract void endInnermost();

    /** A reason that bars shortcuts has changed: a wait has begun or ended. */
    public abstract void bar();

    /** The store buffer is empty now. Returns false if that makes no event, because it was empty before. An event's room suffices for it. */
    public abstract boolean fence(int site);

    /** The thread passes a fence. */
    public final void passFence(int site) {
        try {
            if (isUnfenced) {
                settle();
                room(0);
                fence(site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lostEvents++;
        }
    }

    /** Returns the stamp on which the first event of a thread depends that this one starts now. */
    abstract long forkStamp();

    /** A thread is about to be started. */
    abstract void forks(ThreadState child, Thread thread);

    /** A thread was found dead; {@code end} is the stamp of its last event, or 0. */
    abstract void joins(ThreadRecord child, long end);

    /**
     * Where the run learns: a place writes a variable whose last write has this stamp, and whose last reader is this thread, so that there is no new
     * dependency.
     */
    public abstract void replaces(long written, long sites, int site);

    /** Where the run learns: a place was reached, and its stamp is stored without an {@link #event}. */
    public abstract void reaches(int site);

    /** The thread waits for others in its open blocks, or has waited for them. */
    public abstract void waits();

    /** In dependency mode: makes the store for the accesses that this thread's replace. */
    public abstract Replaced replaces();

    // ---- whose code it runs

    /** Marks the thread's actions as the agent's until the result is closed. */
    public final Inside inside() {
        return inside.open();
    }

    /** Whether the thread's actions are the agent's. */
    public final boolean isInside() {
        return inside.isOpen();
    }

    // ---- pending work

    /** Does what an exception has prevented: releases a lock, marks a monitor as taken again, records ends, reports losses. */
    public final void settle() {
        if (held.isHeld() || wait.isOpen() || (owedEnds | lostEvents | lostExit) != 0 || owesStack || isAway || round == SETTLED) {
            settleNow();
        }
    }

    /**
     * In dependency mode: whether no shortcut is barred. Then there is no pending work before an event, the next event is one, and the thread has
     * taken its fork.
     */
    public final boolean isSettled() {
        return (!BEGINS_LATE || placed == depth || place()) && limit != 0 && (lostEvents | lostExit | asking) == 0 && !held.isHeld() && !owesStack;
    }

    @DontInline
    private void settleNow() {
        if (isAway) {
            Initializers.back(this);
        }
        if (held.isHeld()) {
            held.release();
        }
        if (round == SETTLED) {
            finishRound();
        }
        if (IS_PARTIAL) {
            wait.drop(this);
        } else {
            wait.end(this);
        }
        if (owedEnds > 0) {
            room(owedEnds);
            while (owedEnds > 0) {
                endInnermost();
                owedEnds--;
            }
            bar();
        }
        if (lostExit != 0) {
            lostEvents += lostExit;
            lostExit = 0;
            reading.forget();
        }
        if (lostEvents > 0) {
            int lost = lostEvents;
            Session.transport().describe(NativeBridge.LOST, lost, "events at the end of the stack or of the heap; -Xss or -Xmx gives more room");
            lostEvents -= lost;
        }
        if (owesStack) {
            tellStack();
        }
    }

    /** Removes the stamps of a settled round from the variables. */
    void finishRound() {
        // Nothing to do.
    }

    /** Describes the thread's stack to the reader, and the data of a violation. No lock may be held. */
    @DontInline
    public final void tellStack() {
        try (Inside opened = inside()) {
            if (isViolated) {
                Session.transport().describe(NativeBridge.STACK, number, frames());
                isViolated = false;
            }
            if (calledAt != 0) {
                Callers callers = new Callers();
                WALKER.forEach(callers);
                Session.transport().describe(NativeBridge.CALLERS, calledAt, callers.toString());
                calledAt = 0;
            }
            if (sought != null && sought.isFound()) {
                Session.transport().describe(NativeBridge.DATA, number, sought.text());
                sought.told();
            }
            owesStack = false;
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The thread's next hook tries again.
        }
    }

    private static String frames() {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (!frame.getClassName().startsWith(OWN)) {
                text.append(text.length() == 0 ? "" : "\n").append(frame.getClassName()).append('.').append(frame.getMethodName());
                text.append('(').append(frame.getFileName() == null ? "" : frame.getFileName());
                text.append(frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "").append(')');
            }
        }
        return text.toString();
    }

    /**
     * Later JVMs show descriptors only to a walker that retains classes. Made at the start, before a security manager of the program can be
     * asked.
     */
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Collects the methods on a stack, as profiles name them. */
    private static final class Callers implements Consumer<StackWalker.StackFrame> {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void accept(StackWalker.StackFrame frame) {
            if (!frame.getClassName().startsWith(OWN)) {
                text.append(frame.getClassName()).append('.').append(frame.getMethodName()).append(frame.getDescriptor()).append('\n');
            }
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    private static final String OWN = "dev.regiontrack.runtime.";

    /** The thread has ended. */
    void close() {
        settle();
        if (second != null) {
            second.close();
            second.leave();
        }
        ring.close();
        sharedReads.close();
        thread = null;
    }
}
