package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.bridge.NativeBridge;
import dev.regiontrack.runtime.bridge.SiteText;
import dev.regiontrack.runtime.bridge.Transport;

/** The sites of the JDK's own calls, which are the same in every run: the lowest numbers. */
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

    private JdkSites() {
    }

    /** Describes them to the reader of the records. */
    public static void describe(Transport to) {
        to.describe(NativeBridge.SITE, FORK, SiteText.of("fork", "java.lang.Thread", "start", "()V", "Thread.java", 0, ""));
        to.describe(NativeBridge.SITE, JOIN, SiteText.of("join", "java.lang.Thread", "join", "(J)V", "Thread.java", 0, ""));
        describe(to, SUBMIT, "wait", "Executor", "execute", "(Ljava/lang/Runnable;)V", "task given to an executor");
        describe(to, RUN, "read", "Executor", "execute", "(Ljava/lang/Runnable;)V", "task given to an executor");
        describe(to, COMPLETE, "write", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, GET, "wait", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, ASK, "read", "Future", "get", "()Ljava/lang/Object;", "result of a future");
        describe(to, COUNT_DOWN, "write", "CountDownLatch", "countDown", "()V", "count of a latch");
        describe(to, AWAIT, "wait", "CountDownLatch", "await", "()V", "count of a latch");
        describe(to, RELEASE, "write", "Semaphore", "release", "()V", "permits of a semaphore");
        describe(to, ACQUIRE, "read", "Semaphore", "acquire", "()V", "permits of a semaphore");
        describe(to, SIGNAL, "wait", "Semaphore", "acquire", "()V", "permits of a semaphore");
        describe(to, ARRIVE, "write", "CyclicBarrier", "await", "()I", "barrier");
        describe(to, PASS, "wait", "CyclicBarrier", "await", "()I", "barrier");
        describe(to, WORKER, "write", "ThreadPoolExecutor", "awaitTermination", "()Z", "end of a worker");
        describe(to, TERMINATED, "wait", "ThreadPoolExecutor", "awaitTermination", "()Z", "end of a worker");
        describe(to, DRAIN, "read", "BlockingQueue", "drainTo", "(Ljava/util/Collection;)I", "element of a queue");
        describeThreads(to, INTERRUPT, "write");
        describeThreads(to, FLAG, "read");
        describeThreads(to, INTERRUPTED, "wait");
        describe(to, PHASE, "write", "Phaser", "arrive", "()I", "phase of a phaser");
        describe(to, NEXT_PHASE, "wait", "Phaser", "awaitAdvance", "(I)I", "phase of a phaser");
        describe(to, PENDING, "write", "CountedCompleter", "tryComplete", "()V", "pending completions of a task");
        describe(to, REGISTER, "write", "CompletableFuture", "whenComplete", "()V", "dependent of a future");
        describe(to, FIRE, "read", "CompletableFuture", "whenComplete", "()V", "dependent of a future");
        describe(to, LAST, "read", "CountedCompleter", "tryComplete", "()V", "pending completions of a task");
    }

    private static void describe(Transport to, int site, String kind, String type, String method, String descriptor, String what) {
        String file = type + ".java";
        to.describe(NativeBridge.SITE, site, SiteText.of(kind, "java.util.concurrent." + type, method, descriptor, file, 0, what));
    }

    private static void describeThreads(Transport to, int site, String kind) {
        to.describe(NativeBridge.SITE, site, SiteText.of(kind, "java.lang.Thread", "interrupt", "()V", "Thread.java", 0, "interruption of a thread"));
    }
}
