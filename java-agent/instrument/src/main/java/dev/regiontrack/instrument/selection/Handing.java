package dev.regiontrack.instrument.selection;

import static dev.regiontrack.runtime.sites.JdkSites.*;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The table of calls of the JDK that can hand something over to another thread or receive it: a method's name, and the JDK's sites at which calls of
 * it can do so.
 */
public final class Handing {
    private static final String THREAD = "java/lang/Thread";
    private static final String TIMER = "java/util/Timer";
    private static final String CONCURRENT = "java/util/concurrent/";
    /** What a class of the program can inherit from {@code Thread}, {@code ForkJoinTask} or {@code CompletableFuture}. */
    private static final Set<String> INHERITED = Set.of("start", "join", "interrupt", "fork", "invoke", "complete");
    /** By a method's name: what its calls can do, a bit for each of the JDK's sites. */
    private static final Map<String, Integer> CALLS = new HashMap<>();

    static {
        int gives = bits(SUBMIT, FORK);
        int gets = bits(GET, ASK, INTERRUPTED);
        put(bits(FORK), "start", "startVirtualThread", "unstarted", "newThread", "prestartCoreThread", "prestartAllCoreThreads", "<init>");
        put(gives, "execute", "submit", "schedule", "scheduleAtFixedRate", "scheduleWithFixedDelay", "fork", "supplyAsync", "runAsync");
        put(gives | gets | bits(JOIN), "invoke", "invokeAll", "invokeAny", "join");
        put(gets, "get", "getNow", "resultNow", "exceptionNow", "isDone", "state", "isCompletedNormally", "isCompletedAbnormally", "isCompletedExceptionally",
            "getRawResult", "quietlyJoin", "quietlyInvoke", "isCancelled");
        int completes = bits(COMPLETE, ASK, FIRE) | gives;
        put(completes | bits(INTERRUPT, PENDING, LAST), "complete", "completeExceptionally", "completeAsync", "cancel", "obtrudeValue", "obtrudeException", "run",
            "tryComplete", "propagateCompletion", "orTimeout", "completeOnTimeout");
        put(completes | bits(REGISTER), "thenApply", "thenApplyAsync", "thenAccept", "thenAcceptAsync", "thenRun", "thenRunAsync", "thenCombine", "thenCombineAsync",
            "thenAcceptBoth", "thenAcceptBothAsync", "runAfterBoth", "runAfterBothAsync", "applyToEither", "applyToEitherAsync", "acceptEither",
            "acceptEitherAsync", "runAfterEither", "runAfterEitherAsync", "thenCompose", "thenComposeAsync", "handle", "handleAsync", "whenComplete",
            "whenCompleteAsync", "exceptionally", "exceptionallyAsync", "exceptionallyCompose",
            "exceptionallyComposeAsync", "allOf", "anyOf", "copy");
        put(bits(COUNT_DOWN), "countDown");
        put(bits(AWAIT, ARRIVE, PASS, INTERRUPTED), "await");
        put(bits(COUNT), "getCount");
        put(bits(RELEASE), "release");
        put(bits(ACQUIRE, SIGNAL, INTERRUPTED), "acquire", "acquireUninterruptibly", "tryAcquire", "drainPermits");
        put(bits(TERMINATED, JOIN, GET, ASK, INTERRUPTED), "awaitTermination", "close");
        put(bits(TERMINATED), "isTerminated");
        put(bits(INTERRUPT), "interrupt", "shutdown", "shutdownNow");
        put(bits(FLAG), "interrupted", "isInterrupted");
        put(bits(INTERRUPTED), "sleep");
        put(bits(DRAIN), "drainTo");
        put(bits(PHASE, NEXT_PHASE, INTERRUPTED), "arrive", "arriveAndAwaitAdvance", "arriveAndDeregister", "awaitAdvance", "awaitAdvanceInterruptibly");
    }

    private Handing() {
    }

    private static int bits(int... sites) {
        int all = 0;
        for (int site : sites) {
            all |= 1 << site;
        }
        return all;
    }

    private static void put(int what, String... names) {
        for (String name : names) {
            CALLS.put(name, what);
        }
    }

    /** Returns what a call can do; 0 if nothing is known. */
    public static int of(MethodInsnNode call) {
        Integer what = CALLS.get(call.name);
        if (what == null || call.owner.charAt(0) == '[') {
            return 0;
        }
        // A timer's constructor starts a thread; other constructors do not matter.
        if (call.name.equals("<init>")) {
            return call.owner.equals(TIMER) ? what : 0;
        }
        boolean isPlatforms = call.owner.startsWith(THREAD) || call.owner.equals(TIMER) || call.owner.startsWith(CONCURRENT);
        boolean isInherited = !call.owner.startsWith("java/") && call.getOpcode() != Opcodes.INVOKESTATIC && INHERITED.contains(call.name);
        return isPlatforms || isInherited ? what : 0;
    }
}
