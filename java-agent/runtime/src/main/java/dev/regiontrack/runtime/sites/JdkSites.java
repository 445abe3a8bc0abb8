package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.bridge.Transport;

/**
 * The sites of the JDK's own hand-overs, which have the same numbers in every run: the lowest. They name no place. Where the program's own code has
 * called the JDK, the place is that of the call ({@link #text}).
 */
public final class JdkSites {
    /** Sites of start and join. */
    public static final int FORK = 1;
    public static final int JOIN = 2;
    /** Sites of executors, futures and latches. */
    public static final int SUBMIT = 3;
    public static final int RUN = 4;
    public static final int COMPLETE = 5;
    public static final int GET = 6;
    public static final int ASK = 7;
    public static final int COUNT_DOWN = 8;
    public static final int AWAIT = 9;
    /** Sites of semaphores (a signal starts without permits) and barriers. */
    public static final int RELEASE = 10;
    public static final int ACQUIRE = 11;
    public static final int SIGNAL = 12;
    public static final int ARRIVE = 13;
    public static final int PASS = 14;
    /** Sites of executors' workers, and of queues that are drained. */
    public static final int WORKER = 15;
    public static final int TERMINATED = 16;
    public static final int DRAIN = 17;
    /** Sites of interruptions: interrupting a thread, reading the flag, receiving an exception. */
    public static final int INTERRUPT = 18;
    public static final int FLAG = 19;
    public static final int INTERRUPTED = 20;
    /** Sites of phasers. */
    public static final int PHASE = 21;
    public static final int NEXT_PHASE = 22;
    /** Sites of tasks that complete others. */
    public static final int PENDING = 23;
    public static final int LAST = 24;
    /** Sites of what runs when a future is complete. */
    public static final int REGISTER = 25;
    public static final int FIRE = 26;
    /** Site of a read of a latch's count. */
    public static final int COUNT = 27;
    /** Site of a cache that tidies itself up by a task. */
    public static final int UPKEEP = 28;
    /** Sites of class initialisers that run in a block: what they have done, and the continuing block. */
    public static final int INITIALIZER = 29;
    public static final int INITIALIZED = 30;
    /** Sites of class loaders' methods that run in a block, likewise. No call hands these over, so they need no bit in {@link #calls}. */
    public static final int LOADER = 31;
    public static final int LOADED = 32;

    private static final String CONCURRENT = "java.util.concurrent.";
    private static final String THREAD = "java.lang.Thread";
    /** Stands for the file of a place that is in no source. A class without debug information has an empty name. */
    private static final String NO_FILE = "-";
    /**
     * By number: the site's kind, the class and the method that it is about, and what is handed over there, in the terms of the reader of the
     * records.
     */
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
        {"write", "java.lang.ClassLoader", "loadClass", "end of loading a class"},
        {"read", "java.lang.ClassLoader", "loadClass", "end of loading a class"},
    };

    private JdkSites() {
    }

    /** Describes the sites to the reader of the records. */
    public static void describe(Transport to) {
        for (int site = 1; site < ALL.length; site++) {
            String[] its = ALL[site];
            to.describe(NativeBridge.SITE, site, SiteText.of(its[0], its[1], its[2], "()V", NO_FILE, 0, its[3]));
        }
    }

    /** Returns the number after the last one at which a call of the program can hand something over: each of these has a bit in an {@code int}. */
    public static int calls() {
        return INITIALIZER;
    }

    /** Returns the kind of a site. */
    public static String kind(int site) {
        return ALL[site][0];
    }

    /** Describes what a call of the program, such as {@code java.util.concurrent.Future.get()}, hands over at a site. */
    public static String text(int site, String call) {
        return ALL[site][3] + " by " + call;
    }
}
