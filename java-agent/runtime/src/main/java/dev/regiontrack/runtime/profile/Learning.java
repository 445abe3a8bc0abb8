package dev.regiontrack.runtime.profile;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What the run learns for a profile, in dependency mode: marks at places whose variables were seen shared, and pairs of a block and a place that was
 * reached in it. The bridge makes facts of them when the run ends ({@code jni-bridge/src/profile}).
 *
 * <p>A place is marked where a dependency that is not implied begins or ends, or an implied one that ends in a write. That is where the protocol looks at another
 * thread's stamp, so an access that needs no such look costs nothing more. A pair is looked up where a stamp is stored; it is nearly always in its own place
 * of the table, so the look is a comparison.
 *
 * <p>The tables are memory of the bridge, which is there before it is used and stays. Threads write to them without order: a mark is set or not, and a pair is
 * entered by an exchange.
 */
public final class Learning {
    /** As many places as there can be sites. */
    private static final int SITES = 1 << 24;
    /** As many pairs as there is room for, as a shift. */
    private static final int PAIRS = 20;
    /** A pair that finds no room in so many places from its own has none. */
    private static final int PROBES = 64;

    /** The numbers of the tables, which the bridge knows. */
    private static final int TABLE_OF_MARKS = 0;
    private static final int TABLE_OF_PAIRS = 1;
    private static final int TABLE_THAT_IS_FULL = 2;
    private static final int TABLE_OF_CALLS = 3;

    /** What a mark says, which the bridge knows, too. */
    private static final byte SHARED = 1;
    private static final byte READ = 2;
    private static final byte OPEN = 3;

    private static final Unsafe U = Memory.U;
    private static Bridge bridge;
    private static boolean isGuided;

    private Learning() {
    }

    /** The tables' addresses; a class of its own, so that compiled code has them as constants. */
    private static final class At {
        /** A byte for each site. */
        static final long MARKS = bridge.table(TABLE_OF_MARKS, SITES);
        /** Words: a block plus 1 in the upper half, a site. */
        static final long PAIRS_OF = bridge.table(TABLE_OF_PAIRS, (long) Long.BYTES << PAIRS);
        static final long IS_FULL = bridge.table(TABLE_THAT_IS_FULL, Long.BYTES);
        /** By site: how often it was looked at who called, up to a bound. */
        static final long CALLS = bridge.table(TABLE_OF_CALLS, SITES);
    }

    /** Must be called before the runtime is armed. {@code guided} if only a part of the program has hooks. */
    public static void turnOn(Bridge to, boolean guided) {
        bridge = to;
        isGuided = guided;
        U.ensureClassInitialized(At.class);
    }

    /** Whether this run learns. */
    public static boolean isOn() {
        return bridge != null;
    }

    /** Whether it leaves out what earlier runs did not see shared, so that it has to look at the stack for blocks without hooks. */
    public static boolean isGuided() {
        return isGuided;
    }

    /** The variable at this site is shared. Site 0 is none. */
    public static void mark(int site) {
        byte known = U.getByte(At.MARKS + site);
        if (known != SHARED && known != OPEN && !U.compareAndSetByte(null, At.MARKS + site, known, SHARED)) {
            mark(site);
        }
    }

    /** The same, and the order of two threads there was not implied. */
    public static void markOpen(int site) {
        if (U.getByte(At.MARKS + site) != OPEN) {
            U.putByte(At.MARKS + site, OPEN);
        }
    }

    /** Another thread has written what is read at this site; perhaps nothing else shows that it is shared. */
    public static void markRead(int site) {
        if (U.getByte(At.MARKS + site) == 0) {
            // Another mark that has come meanwhile says more.
            U.compareAndSetByte(null, At.MARKS + site, (byte) 0, READ);
        }
    }

    /** The site was reached in this block, the innermost one; or, if it is that of a method, a block of that has begun in it. */
    @ForceInline
    public static void reached(int block, int site) {
        long pair = block + 1L << 32 | site;
        if (U.getLong(At.PAIRS_OF + (placeOf(pair) << 3)) != pair) {
            enter(pair);
        }
    }

    @ForceInline
    private static long placeOf(long pair) {
        return pair * 0x9e3779b97f4a7c15L >>> 64 - PAIRS;
    }

    /** Enters a pair, if it is new. */
    @DontInline
    private static void enter(long pair) {
        for (int i = 0; i < PROBES; i++) {
            long at = At.PAIRS_OF + ((placeOf(pair) + i & (1L << PAIRS) - 1) << 3);
            long known = U.getLongVolatile(null, at);
            if (known == pair || known == 0 && (U.compareAndSetLong(null, at, 0, pair) || U.getLongVolatile(null, at) == pair)) {
                return;
            }
        }
        U.putLong(At.IS_FULL, 1);
    }

    /**
     * In a run of which a part has hooks: whether it is to be looked from where this site was reached, because blocks on the way may have none. The first
     * time, and then more and more seldom. Threads that count at the same time can lose a count.
     */
    public static boolean asksForCallers(int site) {
        int calls = U.getByte(At.CALLS + site);
        if (calls > 64) {
            return false;
        }
        U.putByte(At.CALLS + site, (byte) (calls + 1));
        return (calls & calls - 1) == 0 && (calls & 0b101_0101) == calls;
    }
}
