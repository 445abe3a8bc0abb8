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
 * Watching a part of the run: each method has two bodies, and at its entry asks here which one is to run: the program's own, or
 * the one with hooks. {@code analysis-core/src/filter/sampling.rs} is the rule and says why that invents nothing.
 *
 * <p>Nothing is watched before the program starts a thread. From then on each method's first calls are watched, so that what runs rarely is not
 * missed, and calls during bursts. The bridge says when a burst begins and ends, and for how many classes, by the processor time that the
 * process takes: what has once been watched in compiled code stays slower. A call that is in a body stays in it; a burst that ends inside a
 * block leaves out what the methods do that are called from then on.
 *
 * <p>The answer is a byte for each method, which several threads change without order: a lost change makes a call more or less watched.
 */
public final class Sampling {
    /** How many calls of each method are watched in any case. */
    private static final int FIRST = 50;
    /** In the byte of a method: all its calls are watched. */
    private static final int BURST = 0x80;
    /** Bytes of the methods that are blocks, by their number; behind them those of the others. Methods can share one. */
    private static final int METHODS = 1 << 15;
    private static final byte[] ASKS = new byte[2 * METHODS];
    /** By the same numbers: which share of the classes the method's is in. */
    private static final byte[] SHARE = new byte[2 * METHODS];
    /** Into how many shares classes are divided; in each run otherwise. */
    private static final int SHARES = 16;
    private static final int LOTS = (int) System.nanoTime();
    /** Threads that count calls in the same memory: few enough that a thread's counters stay in its cache. */
    private static final int STRIPES = 16;
    /** Blocks that are counted; more share the last counter. */
    private static final int COUNTED = 1 << 17;
    private static final long TID = Memory.U.objectFieldOffset(Thread.class, "tid");
    private static final Unsafe U = Memory.U;
    /** For tests: which calls are watched does not depend on time. */
    private static final String PATTERN = System.getProperty("regiontrack.test.sampling");
    private static final long CHOICE = PATTERN == null ? 0 : Long.parseLong(PATTERN);

    private static boolean isOn;
    private static boolean isEverywhere;
    /** Address of the counters of calls that are not watched. */
    private static long counters;
    private static boolean hasStarted;

    private Sampling() {
    }

    /** A part of the run is watched. Must be called before {@link dev.regiontrack.runtime.bridge.Session#arm}. */
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

    /** Whether a part of the run is watched, at least of some classes. */
    public static boolean isOn() {
        return isOn;
    }

    /** Whether that is so of all classes. */
    public static boolean isEverywhere() {
        return isEverywhere;
    }

    /** Where the counters are; a class of its own, so that compiled code has the address as a constant. */
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

    // ---- called at entries of methods: true if the body with hooks is to run

    /** A method that is a block. */
    @ForceInline
    public static boolean enters(int block) {
        if (ASKS[block & METHODS - 1] != 0 && watches(block & METHODS - 1)) {
            return true;
        }
        counts(block);
        return false;
    }

    /** Another method. */
    @ForceInline
    public static boolean asks(int method) {
        return ASKS[METHODS + method] != 0 && watches(METHODS + method);
    }

    /** Counts a call of a block that is not watched. Threads of the same stripe can lose a count to each other. */
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

    /** Defines a class beside this one. */
    public static void define(byte[] bytes) {
        U.defineClass(null, bytes, 0, bytes.length, null, null);
    }

    // ---- called when a class is instrumented

    /** The number by which a method of a class asks that is not a block. */
    public static int method(String owner, String name) {
        int method = (owner + name).hashCode() & METHODS - 1;
        SHARE[METHODS + method] = share(owner);
        return method;
    }

    /** A block of a class, named with dots. */
    public static void block(int block, String owner) {
        SHARE[block & METHODS - 1] = share(owner);
    }

    /** The classes in one file are in the same share. */
    private static byte share(String owner) {
        String name = owner.replace('/', '.');
        int nested = name.indexOf('$');
        int hash = (nested > 0 ? name.substring(0, nested) : name).hashCode() * 0x9e3779b1 + LOTS;
        return (byte) ((hash * 0x85ebca6b >>> 28) % SHARES);
    }

    /** A body with hooks is left by an exception: nothing must stay locked, since the thread's next hook may never come. */
    public static void left() {
        settle(Threads.current());
    }

    /** Does what is left to do. If there is no stack for it, the thread's next hook does, as in a run that is watched as a whole. */
    public static void settle(ThreadState t) {
        try {
            t.settle();
        } catch (OutOfMemoryError | StackOverflowError e) {
            // As said.
        }
    }
}
