package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.bodies.Platform;
import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import dev.regiontrack.runtime.memory.WeakTable;
import dev.regiontrack.runtime.sites.JdkSites;
import dev.regiontrack.runtime.threads.Inside;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import java.util.concurrent.Phaser;
import jdk.internal.misc.Unsafe;

/**
 * The hooks inside {@code Phaser}: a thread that has seen the end of a phase comes after the thread that has ended it, which comes after the arrivals
 * in that phase. {@code analysis-core/src/protocol/permits.rs} is the specification.
 *
 * <p>An arrival is stamped before it takes effect, and entered afterwards. If the phase ends in between, the arrival is not followed, because it may
 * belong to the next phase. The phasers of a tree share their phases, so all are kept at the root.
 */
public final class Phasers {
    private static final Unsafe U = Memory.U;
    /** The offset of a phaser's root; 0 before the first use, -1 if it is unknown. */
    private static volatile long rootOffset;
    /** The number of arrivals that are kept, and of ends of phases. */
    private static final int MOST = 1024;
    private static final int MOST_ENDS = 16;
    private static final WeakTable TABLE = new WeakTable();

    private Phasers() {
    }

    /** A tree of phasers. Guarded by its own lock, under which no thread waits. */
    static final class Phases {
        private final Log arrivals = new Log(MOST);
        private final Log ends = new Log(MOST_ENDS);

        private synchronized void arrived(long stamp, long variable, int site) {
            arrivals.add(0, stamp, variable, site);
        }

        private synchronized long[] meet() {
            long[] sources = arrivals.of(0, 1);
            arrivals.size = 0;
            return sources;
        }

        private synchronized void end(int phase, long stamp, long variable, int site) {
            ends.add(phase, stamp, variable, site);
        }

        private synchronized long[] pass(int phase, int seen) {
            return ends.of(phase, seen);
        }
    }

    /** A log of numbered events: stamps, the variables that they have written, their sites. The oldest are dropped. */
    private static final class Log {
        private final int most;
        private int[] numbers = new int[4];
        private long[] stamps = new long[4];
        private long[] variables = new long[4];
        private int[] sites = new int[4];
        private int size;

        Log(int most) {
            this.most = most;
        }

        private void add(int number, long stamp, long variable, int site) {
            if (size == most) {
                size--;
                System.arraycopy(numbers, 1, numbers, 0, size);
                System.arraycopy(stamps, 1, stamps, 0, size);
                System.arraycopy(variables, 1, variables, 0, size);
                System.arraycopy(sites, 1, sites, 0, size);
            } else if (size == numbers.length) {
                numbers = java.util.Arrays.copyOf(numbers, 2 * size);
                stamps = java.util.Arrays.copyOf(stamps, 2 * size);
                variables = java.util.Arrays.copyOf(variables, 2 * size);
                sites = java.util.Arrays.copyOf(sites, 2 * size);
            }
            numbers[size] = number;
            stamps[size] = stamp;
            sites[size] = site;
            variables[size++] = variable;
        }

        /** Returns stamps, variables and sites, in turn, of the events with numbers from {@code from} to before {@code to}. */
        private long[] of(int from, int to) {
            long[] found = new long[3 * size];
            int count = 0;
            for (int i = 0; i < size; i++) {
                if (from <= numbers[i] && numbers[i] < to) {
                    found[count++] = stamps[i];
                    found[count++] = variables[i];
                    found[count++] = sites[i];
                }
            }
            return java.util.Arrays.copyOf(found, count);
        }
    }

    /** Before a thread arrives. */
    public static void arrives(Object phaser) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                t.arriving = null;
                Phases phases = phases(phaser, true);
                if (phases != null) {
                    t.arrivedSite = t.placeOf(JdkSites.PHASE);
                    t.arrivedVariable = Permits.write(t, t.arrivedSite);
                    t.arrived = t.last();
                    t.arriving = phases;
                }
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** The thread has arrived in this phase; negative if it has not. */
    public static void arrived(int phase, Object phaser) {
        if (phase >= 0) {
            arrived(phaser);
        } else if (Session.isArmed()) {
            Threads.current().arriving = null;
        }
    }

    /** The thread has arrived. */
    public static void arrived(Object phaser) {
        ThreadState t = null;
        try {
            if (Session.isArmed()) {
                t = Threads.current();
                Phases phases = phases(phaser, false);
                if (phases != null && t.arriving == phases) {
                    phases.arrived(t.arrived, t.arrivedVariable, t.arrivedSite);
                }
                t.arriving = null;
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** A thread finds that all have arrived in the current phase, and is about to run the program's action for its end. */
    public static void meets(Object phaser) {
        ThreadState t = null;
        try {
            Phases phases = Session.isArmed() ? phases(phaser, false) : null;
            if (phases != null) {
                t = Threads.current();
                follow(phases.meet(), t);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** After the action, before the phase ends. */
    public static void ends(Object phaser) {
        ThreadState t = null;
        try {
            Phases phases = Session.isArmed() ? phases(phaser, false) : null;
            int phase = phases == null ? -1 : ((Phaser) phaser).getPhase();
            if (phase >= 0) {
                t = Threads.current();
                int site = t.placeOf(JdkSites.PHASE);
                long variable = Permits.write(t, site);
                phases.end(phase, t.last(), variable, site);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** After a thread has waited for the end of {@code phase} and seen the phase {@code seen}; negative if the phaser has terminated. */
    public static void passes(int seen, Object phaser, int phase) {
        ThreadState t = null;
        try {
            Phases phases = Session.isArmed() ? phases(phaser, false) : null;
            if (phases != null) {
                t = Threads.current();
                t.arriving = null;
                t.settle();
                t.waits();
                follow(phases.pass(phase & Integer.MAX_VALUE, seen & Integer.MAX_VALUE), t);
            }
        } catch (OutOfMemoryError | StackOverflowError e) {
            lost(t);
        }
    }

    /** The same for a thread that has arrived in the preceding phase. */
    public static void passes(int seen, Object phaser) {
        passes(seen, phaser, (seen & Integer.MAX_VALUE) - 1);
    }

    private static void follow(long[] sources, ThreadState t) {
        for (int i = 0; i < sources.length; i += 3) {
            Permits.read(sources[i], (int) sources[i + 2], sources[i + 1], t, t.placeOf(JdkSites.NEXT_PHASE));
        }
    }

    private static Phases phases(Object phaser, boolean isNew) {
        Object root = root(phaser);
        if (root == null) {
            return null;
        }
        Object known = TABLE.find(root);
        if (known != null || !isNew) {
            return (Phases) known;
        }
        try (Inside inside = Platform.inside()) {
            return (Phases) TABLE.put(root, new Phases());
        }
    }

    /** Reads the field, because the method that returns the root may be overridden by the program. */
    private static Object root(Object phaser) {
        if (rootOffset == 0) {
            rootOffset = resolve();
        }
        return rootOffset < 0 ? null : Refs.get(phaser, rootOffset);
    }

    private static long resolve() {
        try {
            return U.objectFieldOffset(Phaser.class, "root");
        } catch (InternalError e) {
            Session.tolerated("phases of java.util.concurrent.Phaser, whose fields have other names in this JVM");
            return -1;
        }
    }

    private static void lost(ThreadState t) {
        if (t != null) {
            t.lostEvents++;
        }
    }
}
