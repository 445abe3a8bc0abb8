package dev.regiontrack.runtime.bodies;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.threads.ThreadState;
import dev.regiontrack.runtime.threads.Threads;
import jdk.internal.misc.InnocuousThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Watches a part of the run. Each method has two bodies, and asks here at its entry which one to run: the program's own, or the one with hooks.
 * {@code analysis-core/src/filter/sampling.rs} has the rule, and says why sampling invents no violation.
 *
 * <p>Nothing is watched before the program starts a thread. From then on, each method's first calls are watched, so that rare code is not
 * missed, and so are calls during bursts. The bridge decides when a burst begins and ends, and for how many classes, by the processor time that
 * the process takes: compiled code that was once watched stays slower. A call keeps its body to the end. If a burst ends inside a block,
 * methods that are called from then on are left out.
 *
 * <p>The answer is a byte for each method, which threads change without synchronization: a lost change makes one call more or less watched.
 */
public final class Sampling {
    /** The number of calls of each method that are always watched. */
    private static final int FIRST = 50;
    /** In the byte of a method: all its calls are watched. */
    private static final int BURST = 0x80;
    /** The bytes of the methods that are blocks, by block number, followed by those of the other methods. Methods can share a byte. */
    private static final int METHODS = 1 << 15;
    private static final byte[] ASKS = new byte[2 * METHODS];
    /** By the same numbers: the share to which the method's class belongs. */
    private static final byte[] SHARE = new byte[2 * METHODS];
    /** The number of shares into which classes are divided, differently in each run. */
    private static final int SHARES = 16;
    private static final int LOTS = (int) System.nanoTime();
    /** The number of stripes of counters; few threads share one, so a thread's counters stay in its cache. */
    private static final int STRIPES = 16;
    /** The number of blocks that have a counter; further ones share the last. */
    private static final int COUNTED = 1 << 17;
    private static final long TID = Memory.U.objectFieldOffset(Thread.class, "tid");
    private static final Unsafe U = Memory.U;
    /** For tests: makes the choice of calls independent of time. */
    private static final String PATTERN = System.getProperty("regiontrack.test.sampling");
    private static final long CHOICE = PATTERN == null ? 0 : Long.parseLong(PATTERN);

    private static boolean isOn;
    private static boolean isEverywhere;
    /** Address of the counters of unwatched calls. */
    private static long counters;
    private static boolean hasStarted;

    private Sampling() {
    }

    /** Turns sampling on. Must be called before {@link dev.regiontrack.runtime.bridge.Session#arm}. */
    public static void turnOn(Bridge bridge, boolean everywhere) {
        isOn = true;
        isEverywhere = everywhere;
        counters = bridge.unwatched(STRIPES, COUNTED);
        if (PATTERN != null) {
            java.util.Arrays.fill(ASKS, (byte) BURST);
            return;
        }
        Thread thread = InnocuousThread.newSystemThread("regiontrack-sampling", new Schedule(bridge));
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether a part of the run is watched, for at least some classes. */
    public static boolean isOn() {
        return isOn;
    }

    /** Whether all classes are sampled. */
    public static boolean isEverywhere() {
        return isEverywhere;
    }

    /** The counters' address, in a class of its own, so that it is a constant in compiled code. */
    private static final class Counters {
        static final long ADDRESS = counters;
    }

    /** The program starts a thread. */
    public static void forks() {
        if (isOn && !hasStarted && PATTERN == null) {
            start();
        }
    }

    private static synchronized void start() {
        if (!hasStarted) {
            hasStarted = true;
            java.util.Arrays.fill(ASKS, (byte) FIRST);
            Sampling.class.notifyAll();
        }
    }

    /** Begins and ends bursts. */
    private static final class Schedule implements Runnable {
        private final Bridge bridge;

        Schedule(Bridge bridge) {
            this.bridge = bridge;
        }

        @Override
        public void run() {
            synchronized (Sampling.class) {
                while (!hasStarted) {
                    try {
                        Sampling.class.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
            for (int shares = bridge.burst(false); shares >= 0; shares = bridge.burst(shares > 0)) {
                for (int i = 0; i < ASKS.length; i++) {
                    ASKS[i] = (byte) (SHARE[i] < shares ? ASKS[i] | BURST : ASKS[i] & ~BURST);
                }
            }
        }
    }

    // ---- called at entries of methods: return true if the body with hooks is to run

    /** For a method that is a block. */
    @ForceInline
    public static boolean enters(int block) {
        if (ASKS[block & METHODS - 1] != 0 && watches(block & METHODS - 1)) {
            return true;
        }
        counts(block);
        return false;
    }

    /** For a method that is no block. */
    @ForceInline
    public static boolean asks(int method) {
        return ASKS[METHODS + method] != 0 && watches(METHODS + method);
    }

    /** Counts an unwatched call of a block. Threads of the same stripe can lose each other's counts. */
    @ForceInline
    public static void counts(int block) {
        long stripe = U.getLong(Thread.currentThread(), TID) & STRIPES - 1;
        long at = Counters.ADDRESS + (stripe * COUNTED + Math.min(block, COUNTED - 1) << 3);
        U.putLong(at, U.getLong(at) + 1);
    }

    @DontInline
    private static boolean watches(int method) {
        int left = ASKS[method];
        if (PATTERN != null) {
            return Threads.current().isChosen(CHOICE);
        }
        if (left > 0) {
            ASKS[method] = (byte) (left - 1);
        }
        return left != 0;
    }

    /** Defines a class in this package and loader. */
    public static void define(byte[] bytes) {
        U.defineClass(null, bytes, 0, bytes.length, null, null);
    }

    // ---- called when a class is instrumented

    /** Returns the number that a method uses in {@link #asks}. */
    public static int method(String owner, String name) {
        int method = (owner + name).hashCode() & METHODS - 1;
        SHARE[METHODS + method] = share(owner);
        return method;
    }

    /** Notes the class of a block; the name has dots. */
    public static void block(int block, String owner) {
        SHARE[block & METHODS - 1] = share(owner);
    }

    /** Classes of the same source file get the same share. */
    private static byte share(String owner) {
        String name = owner.replace('/', '.');
        int nested = name.indexOf('$');
        int hash = (nested > 0 ? name.substring(0, nested) : name).hashCode() * 0x9e3779b1 + LOTS;
        return (byte) ((hash * 0x85ebca6b >>> 28) % SHARES);
    }

    /** An exception leaves a body with hooks. Nothing may stay locked, since the thread's next hook may never come. */
    public static void left() {
        settle(Threads.current());
    }

    /** Does the thread's pending work. If the stack is too full, the thread's next hook does it, as in a run that is watched as a whole. */
    public static void settle(ThreadState t) {
        try {
            t.settle();
        } catch (OutOfMemoryError | StackOverflowError e) {
            // The thread's next hook settles.
        }
    }
}
