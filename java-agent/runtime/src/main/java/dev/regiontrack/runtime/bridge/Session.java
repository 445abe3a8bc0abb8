package dev.regiontrack.runtime.bridge;

import dev.regiontrack.runtime.threads.ThreadState;

/** Global state: the transport, the ids, the counts of what is tolerated. */
public final class Session {
    public static final int ID_BLOCK = 1024;
    /** Bits of an id that number the object; those above are the type of an array or of an object that is not instrumented. */
    public static final int ID_BITS = 44;
    public static final long ID = (1L << ID_BITS) - 1;
    /** The sites of the JDK's own start and join. */
    public static final int FORK_SITE = 1;
    public static final int JOIN_SITE = 2;
    /** Those of the JDK's own executors, futures and latches. */
    public static final int SUBMIT_SITE = 3;
    public static final int RUN_SITE = 4;
    public static final int COMPLETE_SITE = 5;
    public static final int GET_SITE = 6;
    public static final int ASK_SITE = 7;
    public static final int COUNT_DOWN_SITE = 8;
    public static final int AWAIT_SITE = 9;
    /** Those of semaphores (a signal has no permits at the beginning) and barriers. */
    public static final int RELEASE_SITE = 10;
    public static final int ACQUIRE_SITE = 11;
    public static final int SIGNAL_SITE = 12;
    public static final int ARRIVE_SITE = 13;
    public static final int PASS_SITE = 14;
    /** Those of workers of executors, and of queues that are emptied. */
    public static final int WORKER_SITE = 15;
    public static final int TERMINATED_SITE = 16;
    public static final int DRAIN_SITE = 17;
    /** Those of interruptions: of who interrupts, of who asks, and of who has an exception. */
    public static final int INTERRUPT_SITE = 18;
    public static final int FLAG_SITE = 19;
    public static final int INTERRUPTED_SITE = 20;
    /** Those of phasers. */
    public static final int PHASE_SITE = 21;
    public static final int NEXT_PHASE_SITE = 22;
    /** Those of tasks that complete others. */
    public static final int PENDING_SITE = 23;
    public static final int LAST_SITE = 24;

    private static boolean counts;
    private static boolean takesDependencies;
    private static boolean isNested = true;
    private static boolean takesFences;
    private static boolean showsKeys = true;
    private static boolean takesRedundant;
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

    /** Keys of maps have no names but their numbers. Must be called before {@link #arm}. */
    public static void hideKeys() {
        showsKeys = false;
    }

    public static boolean showsKeys() {
        return showsKeys;
    }

    /** Starts to record. */
    public static void arm(Transport to) {
        to.describe(NativeBridge.SITE, FORK_SITE, SiteText.of("fork", "java.lang.Thread", "start", "()V", "Thread.java", 0, ""));
        to.describe(NativeBridge.SITE, JOIN_SITE, SiteText.of("join", "java.lang.Thread", "join", "(J)V", "Thread.java", 0, ""));
        describe(to, SUBMIT_SITE, "wait", "Executor", "execute", "(Ljava/lang/Runnable;)V", "task given to an executor");
        describe(to, RUN_SITE, "read", "Executor", "execute", "(Ljava/lang/Runnable;)V", "task given to an executor");
        describe(to, COMPLETE_SITE, "write", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, GET_SITE, "wait", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, ASK_SITE, "read", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, COUNT_DOWN_SITE, "write", "CountDownLatch", "countDown", "()V", "count of a latch");
        describe(to, AWAIT_SITE, "wait", "CountDownLatch", "await", "()V", "count of a latch");
        describe(to, RELEASE_SITE, "write", "Semaphore", "release", "()V", "permits of a semaphore");
        describe(to, ACQUIRE_SITE, "read", "Semaphore", "acquire", "()V", "permits of a semaphore");
        describe(to, SIGNAL_SITE, "wait", "Semaphore", "acquire", "()V", "permits of a semaphore");
        describe(to, ARRIVE_SITE, "write", "CyclicBarrier", "await", "()I", "barrier");
        describe(to, PASS_SITE, "wait", "CyclicBarrier", "await", "()I", "barrier");
        describe(to, WORKER_SITE, "write", "ThreadPoolExecutor", "awaitTermination", "()Z", "end of a worker");
        describe(to, TERMINATED_SITE, "wait", "ThreadPoolExecutor", "awaitTermination", "()Z", "end of a worker");
        describe(to, DRAIN_SITE, "read", "BlockingQueue", "drainTo", "(Ljava/util/Collection;)I", "element of a queue");
        describeThreads(to, INTERRUPT_SITE, "write");
        describeThreads(to, FLAG_SITE, "read");
        describeThreads(to, INTERRUPTED_SITE, "wait");
        describe(to, PHASE_SITE, "write", "Phaser", "arrive", "()I", "phase of a phaser");
        describe(to, NEXT_PHASE_SITE, "wait", "Phaser", "awaitAdvance", "(I)I", "phase of a phaser");
        describe(to, PENDING_SITE, "write", "CountedCompleter", "tryComplete", "()V", "pending completions of a task");
        describe(to, LAST_SITE, "read", "CountedCompleter", "tryComplete", "()V", "pending completions of a task");
        transport = to;
    }

    private static void describe(Transport to, int site, String kind, String type, String method, String descriptor, String what) {
        String file = type + ".java";
        to.describe(NativeBridge.SITE, site, SiteText.of(kind, "java.util.concurrent." + type, method, descriptor, file, 0, what));
    }

    private static void describeThreads(Transport to, int site, String kind) {
        to.describe(NativeBridge.SITE, site, SiteText.of(kind, "java.lang.Thread", "interrupt", "()V", "Thread.java", 0, "interruption of a thread"));
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

    /** The field that is accessed at a site is declared in this class. */
    public static void declared(int site, String name) {
        transport.describe(NativeBridge.DECLARED, site, name);
    }

    /** A variable is this part of an object of the platform's library, by their numbers. */
    public static void part(long variable, long receiver, String text) {
        transport.describe(NativeBridge.PART, 0, Long.toString(variable) + '\t' + receiver + '\t' + text);
    }

    /** A use of a monitor whose other end was not seen. Where only a part of the run is watched, that is to be expected. */
    public static void unpaired(String what) {
        if (!ThreadState.IS_PARTIAL) {
            tolerated(what);
        }
    }

    public static void tolerated(String what) {
        transport.describe(NativeBridge.TOLERATED, 1, what);
    }

    public static void lost(String what) {
        transport.describe(NativeBridge.LOST, 1, what);
    }
}
