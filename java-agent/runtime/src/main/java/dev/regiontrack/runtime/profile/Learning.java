package dev.regiontrack.runtime.profile;

import dev.regiontrack.runtime.bridge.Bridge;
import dev.regiontrack.runtime.memory.Memory;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Collects what the run learns for a profile, in dependency mode: marks at places whose variables were seen shared, and pairs of a block and a place
 * reached in it. The bridge turns them into facts when the run ends ({@code jni-bridge/src/profile}).
 *
 * <p>A place is marked where a dependency that is not implied begins or ends, or where an implied one ends in a write. There the protocol looks at
 * another thread's stamp anyway, so other accesses cost nothing more. A pair is looked up where a stamp is stored; it is nearly always in its own
 * slot of the table, so the lookup is one comparison.
 *
 * <p>The tables are memory of the bridge, allocated before use and never freed. Threads write to them without synchronization: a mark is set or not,
 * and a pair is entered by compare-and-set.
 */
public final class Learning {
    /** The number of places: as many as there can be sites. */
    private static final int SITES = 1 << 24;
    /** The number of pairs that the table has room for, as a shift. */
    private static final int PAIRS = 20;
    /** The number of slots that are tried for a pair before it is dropped. */
    private static final int PROBES = 64;

    /** The tables' numbers, which the bridge knows. */
    private static final int TABLE_OF_MARKS = 0;
    private static final int TABLE_OF_PAIRS = 1;
    private static final int TABLE_THAT_IS_FULL = 2;
    private static final int TABLE_OF_CALLS = 3;

    /** The values of a mark, which the bridge knows, too. */
    private static final byte SHARED = 1;
    private static final byte READ = 2;
    private static final byte OPEN = 3;

    private static final Unsafe U = Memory.U;
    private static Bridge bridge;
    private static boolean isGuided;

    private Learning() {
    }

    /** The tables' addresses, in a class of its own, so that they are constants in compiled code. */
    private static final class At {
        /** A byte for each site. */
        static final long MARKS = bridge.table(TABLE_OF_MARKS, SITES);
        /** Words: a block plus 1 in the upper half, a site. */
        static final long PAIRS_OF = bridge.table(TABLE_OF_PAIRS, (long) Long.BYTES << PAIRS);
        static final long IS_FULL = bridge.table(TABLE_THAT_IS_FULL, Long.BYTES);
        /** By site: how often the callers were looked up, up to a bound. */
        static final long CALLS = bridge.table(TABLE_OF_CALLS, SITES);
    }

    /** Turns learning on; {@code guided} if only a part of the program has hooks. Must be called before the runtime is armed. */
    public static void turnOn(Bridge to, boolean guided) {
        bridge = to;
        isGuided = guided;
        U.ensureClassInitialized(At.class);
    }

    /** Whether this run learns. */
    public static boolean isOn() {
        return bridge != null;
    }

    /** Whether the run leaves out what earlier runs did not see shared, and so has to search the stack for blocks without hooks. */
    public static boolean isGuided() {
        return isGuided;
    }

    /** Marks the variable at this site as shared. Site 0 is none. */
    public static void mark(int site) {
        byte known = U.getByte(At.MARKS + site);
        if (known != SHARED && known != OPEN && !U.compareAndSetByte(null, At.MARKS + site, known, SHARED)) {
            mark(site);
        }
    }

    /** Marks the variable as shared, and the order of two threads there as not implied. */
    public static void markOpen(int site) {
        if (U.getByte(At.MARKS + site) != OPEN) {
            U.putByte(At.MARKS + site, OPEN);
        }
    }

    /** Marks a site that reads what another thread has written; perhaps nothing else shows that the variable is shared. */
    public static void markRead(int site) {
        if (U.getByte(At.MARKS + site) == 0) {
            // If another mark came meanwhile, it says more.
            U.compareAndSetByte(null, At.MARKS + site, (byte) 0, READ);
        }
    }

    /**
     * Notes that the site was reached in this block, the innermost one; or, if the site is that of a method, that one of its
     * blocks has begun in this block.
     */
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
     * In a run of which only a part has hooks: whether to look up the callers of this site, because blocks among them may have no hooks. True the
     * first time, then more and more rarely. Threads that count at the same time can lose a count.
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
