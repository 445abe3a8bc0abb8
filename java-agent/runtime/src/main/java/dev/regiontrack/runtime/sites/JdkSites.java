package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.bridge.Transport;

/**
 * The sites of what the JDK's own code does for threads that hand something over, which are the same in every run: the lowest numbers. They name no place. Where
 * the program's own code has called the JDK, the place is that of the call ({@link #text}).
 */
public final class JdkSites {
    /** Those of start and join. */
    public static final int FORK = 1;
    public static final int JOIN = 2;
    /** Those of executors, futures and latches. */
    public static final int SUBMIT = 3;
    public static final int RUN = 4;
    public static final int COMPLETE = 5;
    public static final int GET = 6;
    public static final int ASK = 7;
    public static final int COUNT_DOWN = 8;
    public static final int AWAIT = 9;
    /** Those of semaphores (a signal has no permits at the beginning) and barriers. */
    public static final int RELEASE = 10;
    public static final int ACQUIRE = 11;
    public static final int SIGNAL = 12;
    public static final int ARRIVE = 13;
    public static final int PASS = 14;
    /** Those of workers of executors, and of queues that are emptied. */
    public static final int WORKER = 15;
    public static final int TERMINATED = 16;
    public static final int DRAIN = 17;
    /** Those of interruptions: of who interrupts, of who asks, and of who has an exception. */
    public static final int INTERRUPT = 18;
    public static final int FLAG = 19;
    public static final int INTERRUPTED = 20;
    /** Those of phasers. */
    public static final int PHASE = 21;
    public static final int NEXT_PHASE = 22;
    /** Those of tasks that complete others. */
    public static final int PENDING = 23;
    public static final int LAST = 24;
    /** Those of what runs when a future is complete. */
    public static final int REGISTER = 25;
    public static final int FIRE = 26;
    /** That of who asks for the count of a latch. */
    public static final int COUNT = 27;
    /** That of a cache that tidies itself up by a task. */
    public static final int UPKEEP = 28;
    /** Those of class initialisers that run in a block: what they have done, and the block that goes on. */
    public static final int INITIALIZER = 29;
    public static final int INITIALIZED = 30;

    private static final String CONCURRENT = "java.util.concurrent.";
    private static final String THREAD = "java.lang.Thread";
    /** Instead of a file: nobody wrote that place. A class without debug information has an empty name. */
    private static final String NO_FILE = "-";
    /** By number: the kind of the site, the class and the method that it is about, and what is handed over there, in the words of the reader of the records. */
    private static final String[][] ALL = {
        null,
        {"fork", THREAD, "start", ""},
        {"join", THREAD, "join", ""},
        {"wait", CONCURRENT + "Executor", "execute", "task given to an executor"},
        {"read", CONCURRENT + "Executor", "execute", "task given to an executor"},
        {"write", CONCURRENT + "Future", "get", "result of a future"},
        {"wait", CONCURRENT + "Future", "get", "result of a future"},
        {"read", CONCURRENT + "Future", "get", "result of a future"},
        {"write", CONCURRENT + "CountDownLatch", "countDown", "count of a latch"},
        {"wait", CONCURRENT + "CountDownLatch", "await", "count of a latch"},
        {"write", CONCURRENT + "Semaphore", "release", "permits of a semaphore"},
        {"read", CONCURRENT + "Semaphore", "acquire", "permits of a semaphore"},
        {"wait", CONCURRENT + "Semaphore", "acquire", "permits of a semaphore"},
        {"write", CONCURRENT + "CyclicBarrier", "await", "barrier"},
        {"wait", CONCURRENT + "CyclicBarrier", "await", "barrier"},
        {"write", CONCURRENT + "ThreadPoolExecutor", "awaitTermination", "end of a worker"},
        {"wait", CONCURRENT + "ThreadPoolExecutor", "awaitTermination", "end of a worker"},
        {"read", CONCURRENT + "BlockingQueue", "drainTo", "element of a queue"},
        {"write", THREAD, "interrupt", "interruption of a thread"},
        {"read", THREAD, "interrupt", "interruption of a thread"},
        {"wait", THREAD, "interrupt", "interruption of a thread"},
        {"write", CONCURRENT + "Phaser", "arrive", "phase of a phaser"},
        {"wait", CONCURRENT + "Phaser", "awaitAdvance", "phase of a phaser"},
        {"write", CONCURRENT + "CountedCompleter", "tryComplete", "pending completions of a task"},
        {"read", CONCURRENT + "CountedCompleter", "tryComplete", "pending completions of a task"},
        {"write", CONCURRENT + "CompletableFuture", "whenComplete", "dependent of a future"},
        {"read", CONCURRENT + "CompletableFuture", "whenComplete", "dependent of a future"},
        {"read", CONCURRENT + "CountDownLatch", "getCount", "count of a latch"},
        {"write", CONCURRENT + "Executor", "execute", "task given to an executor"},
        {"write", "java.lang.Class", "forName", "end of a class initializer"},
        {"read", "java.lang.Class", "forName", "end of a class initializer"},
    };

    private JdkSites() {
    }

    /** Describes them to the reader of the records. */
    public static void describe(Transport to) {
        for (int site = 1; site < ALL.length; site++) {
            String[] its = ALL[site];
            to.describe(NativeBridge.SITE, site, SiteText.of(its[0], its[1], its[2], "()V", NO_FILE, 0, its[3]));
        }
    }

    /** How many they are, with number 0, which is none. */
    public static int count() {
        return ALL.length;
    }

    /** The kind of a site. */
    public static String kind(int site) {
        return ALL[site][0];
    }

    /** What is handed over at a site by a call of the program, such as {@code java.util.concurrent.Future.get()}. */
    public static String text(int site, String call) {
        return ALL[site][3] + " by " + call;
    }
}
