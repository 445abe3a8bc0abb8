package dev.regiontrack.runtime.bridge;

import java.util.concurrent.atomic.AtomicLong;

/** Global state: the transport, the ids, the counts of what is tolerated. */
public final class Session {
    public static final int ID_BLOCK = 1024;
    /** The bits of an id that number the object; those above hold the type of an array or of an object that is not instrumented. */
    public static final int ID_BITS = 44;
    public static final long ID = (1L << ID_BITS) - 1;

    private static boolean counts;
    private static boolean takesDependencies;
    private static boolean isNested = true;
    private static boolean takesFences;
    private static boolean showsKeys = true;
    private static boolean takesRedundant;
    private static boolean repeatsTests;
    private static boolean isLearning;
    private static boolean takesAllReads;
    private static boolean takesReaders;
    private static boolean takesInitializersApart;
    private static boolean takesResults;
    private static boolean isLate;
    private static volatile Transport transport;
    private static final AtomicLong NEXT_BLOCK = new AtomicLong(1);
    private static int types;

    private Session() {
    }

    public static Transport transport() {
        return transport;
    }

    /** Whether hooks record. Until then, no code but the JDK's thread classes is instrumented. */
    public static boolean isArmed() {
        return transport != null;
    }

    /** Enables counting of every access. Must be called before {@link #arm}, because hooks read the setting once. */
    public static void count() {
        counts = true;
    }

    public static boolean counts() {
        return counts;
    }

    /** Only dependencies leave the threads: of outermost blocks, and with {@code nested} also of inner ones. Must be called before {@link #arm}. */
    public static void takeDependencies(boolean nested) {
        takesDependencies = true;
        isNested = nested;
    }

    public static boolean takesDependencies() {
        return takesDependencies;
    }

    public static boolean isNested() {
        return isNested;
    }

    /** Fences are events too. Must be called before {@link #arm}. */
    public static void takeFences() {
        takesFences = true;
    }

    /** Whether fences are events. */
    public static boolean takesFences() {
        return takesFences;
    }

    /** Redundant accesses are events too. Must be called before {@link #arm}. */
    public static void takeRedundant() {
        takesRedundant = true;
    }

    public static boolean takesRedundant() {
        return takesRedundant;
    }

    /** Tests can ask to be repeated, and steered. Must be called before {@link #arm}. */
    public static void repeatTests() {
        repeatsTests = true;
    }

    public static boolean repeatsTests() {
        return repeatsTests;
    }

    /** Makes redundant accesses events too, or no longer, where tests are repeated. A thread that notices this late leaves some out. */
    public static void learn(boolean learns) {
        isLearning = learns;
    }

    public static boolean isLearning() {
        return isLearning;
    }

    /** Reads that turn out to have no consequence are events too. Must be called before {@link #arm}. */
    public static void takeAllReads() {
        takesAllReads = true;
    }

    public static boolean takesAllReads() {
        return takesAllReads;
    }

    /** Critical sections that write nothing are in no order among themselves. Must be called before {@link #arm}. */
    public static void takeReaders() {
        takesReaders = true;
    }

    public static boolean takesReaders() {
        return takesReaders;
    }

    /** Keeps what class initialisers do out of the blocks around them. Must be called before {@link #arm}. */
    public static void takeInitializersApart() {
        takesInitializersApart = true;
    }

    public static boolean takesInitializersApart() {
        return takesInitializersApart;
    }

    /**
     * The order of calls on one key is deduced from their results, so neither a profile nor a sample leaves one out. Must be called before
     * {@link #arm}.
     */
    public static void takeResults() {
        takesResults = true;
    }

    public static boolean takesResults() {
        return takesResults;
    }

    /** The agent was attached to a running program: what happened before is not known. Must be called before {@link #arm}. */
    public static void startLate() {
        isLate = true;
    }

    public static boolean isLate() {
        return isLate;
    }

    /** Names keys of maps by their numbers alone. Must be called before {@link #arm}. */
    public static void hideKeys() {
        showsKeys = false;
    }

    public static boolean showsKeys() {
        return showsKeys;
    }

    /** Starts recording. */
    public static void arm(Transport to) {
        transport = to;
    }

    /** Loads the native library and binds {@link NativeBridge} to it. */
    public static NativeBridge load(String file) {
        return NativeBridge.load(file);
    }

    /** Takes no monitor: the caller may have locked a variable, and a virtual thread that waits for a monitor gives its carrier away. */
    public static long idBlock() {
        long block = NEXT_BLOCK.getAndAdd(ID_BLOCK);
        if (block >>> ID_BITS != 0) {
            lost("objects beyond 2^44: not distinguished");
        }
        return block;
    }

    /** Returns the number of a new type of locks or arrays, for reports. */
    public static int type(String name) {
        int number;
        synchronized (Session.class) {
            number = ++types;
        }
        transport.describe(NativeBridge.TYPE, number, name);
        return number;
    }

    /** Describes the method called at these sites as one of this class of the platform. */
    public static void owner(int site, String name) {
        transport.describe(NativeBridge.OWNER, site, name);
    }

    /** Describes the field that a handle's call at a site accesses, in the form of {@link NativeBridge#TARGET}. */
    public static void target(int site, String name) {
        transport.describe(NativeBridge.TARGET, site, name);
    }

    /** Describes the class that declares the field accessed at a site. */
    public static void declared(int site, String name) {
        transport.describe(NativeBridge.DECLARED, site, name);
    }

    /** Describes a variable as this part of an object of the platform's library, by their numbers. */
    public static void part(long variable, long receiver, String text) {
        transport.describe(NativeBridge.PART, 0, Long.toString(variable) + '\t' + receiver + '\t' + text);
    }

    public static void tolerated(String what) {
        transport.describe(NativeBridge.TOLERATED, 1, what);
    }

    /** Counts one more event of a kind that is not seen. */
    public static void unseen(Unseen what) {
        tolerated(what.words);
    }

    public static void lost(String what) {
        transport.describe(NativeBridge.LOST, 1, what);
    }
}
