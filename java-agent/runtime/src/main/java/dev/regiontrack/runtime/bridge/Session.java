package dev.regiontrack.runtime.bridge;

/** Global state: the transport, the ids, the counts of what is tolerated. */
public final class Session {
    public static final int ID_BLOCK = 1024;
    /** Bits of an id that number the object; those above are the type of an array or of an object that is not instrumented. */
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
    private static long nextBlock = 1;
    private static int types;

    private Session() {
    }

    public static Transport transport() {
        return transport;
    }

    /** True once hooks record. Code is instrumented only then, except the JDK's thread classes. */
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

    /** Only dependencies leave the threads, of inner blocks too or of outermost ones alone. Must be called before {@link #arm}. */
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

    /** From here on redundant accesses are events too, or are not again, where tests are repeated. A thread that learns late of it leaves some out. */
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

    /** What class initialisers do belongs to no block around them. Must be called before {@link #arm}. */
    public static void takeInitializersApart() {
        takesInitializersApart = true;
    }

    public static boolean takesInitializersApart() {
        return takesInitializersApart;
    }

    /** What calls of one key return tells their order: none of them is left out by a profile or a sample. Must be called before {@link #arm}. */
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

    /** Keys of maps have no names but their numbers. Must be called before {@link #arm}. */
    public static void hideKeys() {
        showsKeys = false;
    }

    public static boolean showsKeys() {
        return showsKeys;
    }

    /** Starts to record. */
    public static void arm(Transport to) {
        transport = to;
    }

    /** Loads the native library and binds {@link NativeBridge} to it. */
    public static NativeBridge load(String file) {
        return NativeBridge.load(file);
    }

    public static synchronized long idBlock() {
        long block = nextBlock;
        nextBlock += ID_BLOCK;
        if (block >>> ID_BITS != 0) {
            lost("objects beyond 2^44: not distinguished");
        }
        return block;
    }

    /** The number of a new type of locks or arrays, for reports. */
    public static int type(String name) {
        int number;
        synchronized (Session.class) {
            number = ++types;
        }
        transport.describe(NativeBridge.TYPE, number, name);
        return number;
    }

    /** The call at these sites is one of a method that this class of the platform has. */
    public static void owner(int site, String name) {
        transport.describe(NativeBridge.OWNER, site, name);
    }

    /** The call of a handle at a site accesses this field, in the form of {@link NativeBridge#TARGET}. */
    public static void target(int site, String name) {
        transport.describe(NativeBridge.TARGET, site, name);
    }

    /** The field that is accessed at a site is declared in this class. */
    public static void declared(int site, String name) {
        transport.describe(NativeBridge.DECLARED, site, name);
    }

    /** A variable is this part of an object of the platform's library, by their numbers. */
    public static void part(long variable, long receiver, String text) {
        transport.describe(NativeBridge.PART, 0, Long.toString(variable) + '\t' + receiver + '\t' + text);
    }

    public static void tolerated(String what) {
        transport.describe(NativeBridge.TOLERATED, 1, what);
    }

    /** One more of what is not seen. */
    public static void unseen(Unseen what) {
        tolerated(what.words);
    }

    public static void lost(String what) {
        transport.describe(NativeBridge.LOST, 1, what);
    }
}
