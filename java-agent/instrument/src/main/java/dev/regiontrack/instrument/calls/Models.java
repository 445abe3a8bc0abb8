package dev.regiontrack.instrument.calls;

import dev.regiontrack.instrument.selection.ModelledCalls;
import dev.regiontrack.runtime.bridge.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** The calls of the platform that have an effect, in one table: class, method, effect. */
public final class Models {
    /** The effect of a call. */
    public enum Effect {
        /** Releases the receiver's monitor and takes it again. */
        WAIT,
        /** Waits for another thread to give the permit. Gives no order: the call can return for another reason. */
        PARK,
        /** Returns a copy of the receiver, including the shadow field. */
        COPY,
        /** Starts the receiver's thread. */
        FORK("fork", Operand.THIS),
        /** Returns after the end of the receiver's thread, if the thread has ended by then. */
        JOIN("joined", Operand.THIS),
        /** The receiver's thread is about to end. */
        END("exit", Operand.THIS),
        /** Empties the store buffer, whatever the call returns. */
        FENCE,
        /** An executor gets a task: the argument, the receiver, or what it has made of the argument. */
        SUBMIT("given", Operand.FIRST), SUBMIT_THIS("given", Operand.THIS), SUBMIT_MADE("given", Operand.TOP),
        SUBMIT_FOR("givenFor", Operand.TOP_AND_FIRST),
        /** A timer gets a task. */
        SCHEDULE("scheduled", Operand.FIRST),
        /** An executor refuses a task. */
        REFUSE("refused", Operand.FIRST),
        /** An executor or a timer runs a task. */
        RUN("taken", Operand.TOP), REPEAT("repeated", Operand.TOP),
        /** It has run a task. */
        RAN("ran", Operand.NOTHING),
        /** In a JVM to which the agent was attached: a future or a task is made. */
        MAKE_TASK("made", Operand.THIS),
        /** A future is about to become complete. */
        COMPLETE("completes", Operand.THIS),
        /** The same, unless it was complete before: then the method returns false. */
        TRY_COMPLETE("triesToComplete", Operand.THIS), COMPLETED("completed", Operand.RESULT),
        /**
         * A fork-join task is about to become complete, unless it was before; the result says whether a future was completed, or the task's status
         * before.
         */
        TRY_END("triesToEnd", Operand.THIS), ENDED("completed", Operand.RESULT), WAS("was", Operand.NUMBER),
        /** The result of a future is known here. */
        GET("got", Operand.THIS),
        /** The result of a future was read, or null if it is not complete; the second in a method that waits for it. */
        SEE_RESULT("sees", Operand.FIELD_OBJECT), GET_RESULT("gets", Operand.FIELD_OBJECT),
        /** The same for the state of another task. */
        SEE_STATE("seesState", Operand.FIELD),
        /** The same for the status of a fork-join task; the third is the result of a method that has waited for it. */
        SEE_STATUS("sees", Operand.FIELD), GET_STATUS("gets", Operand.FIELD), AWAITED("awaited", Operand.NUMBER),
        /** A worker of an executor is about to end; the method returns whether all have ended. */
        WORKER_ENDS("ends", Operand.THIS), TERMINATED("terminated", Operand.RESULT),
        /** A thread of a structured scope has ended; the method returns whether all have. */
        LEFT("left", Operand.THIS_AND_FIRST), ALL_LEFT("allLeft", Operand.RESULT),
        /** A queue is about to hand an element over, among others. */
        DRAIN("drains", Operand.TOP_AND_THIS),
        /** A map has removed what an iterator has returned last, unless that was gone. */
        REMOVED("removed", Operand.TOP),
        /** Something is to run when a future is complete; it may run now, and has run; a call registers what is to run after several futures. */
        REGISTER("registers", Operand.THIS), FIRE("fires", Operand.WITH_COUNT), FIRED("fired", Operand.WITH_COUNT), FIRE_ALL("firesAll", Operand.THIS),
        REGISTER_ALL("registersAll", Operand.THIS), REGISTERED_ALL("registeredAll", Operand.TOP),
        /** A thread is about to count down the pending completions of a task, and has tried; it has seen how many there are. */
        COUNT_PENDING("counts", Operand.UNDER_NUMBERS), COUNTED_PENDING("counted", Operand.TRUTH), SEE_PENDING("sees", Operand.FIELD),
        /** A latch is made; a thread tries to count it down, and has tried; a thread checks whether it is open, or reads its count. */
        MAKE("made", Operand.WITH_COUNT), ARRIVE("arrives", Operand.THIS), ARRIVED("arrived", Operand.RESULT), PASS("passes", Operand.NUMBER),
        ASK_COUNT("counts", Operand.NUMBER),
        /**
         * A semaphore is made; a thread is about to release permits; tries to acquire some, and has tried; has acquired all; reduces their number.
         */
        MAKE_SEMAPHORE("made", Operand.WITH_COUNT), RELEASE("releases", Operand.WITH_COUNT), ATTEMPT("attempts", Operand.THIS),
        ACQUIRED("acquired", Operand.NUMBER_WITH_COUNT), DRAINED("drained", Operand.NUMBER), REDUCE("reduces", Operand.THIS),
        /** A barrier is made; a thread has arrived; the barrier breaks; all have arrived; they may go; one has gone. */
        MAKE_BARRIER("built", Operand.WITH_COUNT), AT_BARRIER("arrives", Operand.THIS), SHATTER("shatters", Operand.THIS), MEET("meets", Operand.THIS),
        TRIP("trips", Operand.THIS), LEAVE("leaves", Operand.THIS),
        /** A thread is about to be interrupted; the current thread's flag was read and cleared, a thread's was read; an exception was made. */
        INTERRUPT("interrupts", Operand.THIS), CLEARED("cleared", Operand.TRUTH), FLAG("asked", Operand.RESULT), INTERRUPTED("made", Operand.THIS),
        /** A thread arrives at a phaser, and has arrived; all have arrived; the phase is about to end; a thread has seen that one has ended. */
        ARRIVES("arrives", Operand.THIS), HAS_ARRIVED("arrived", Operand.NUMBER), WAITS_IN_PHASE("arrived", Operand.THIS),
        PHASE_MEETS("meets", Operand.THIS), PHASE_ENDS("ends", Operand.THIS), PHASE_SEEN("passes", Operand.NUMBER),
        PHASE_AWAITED("passes", Operand.NUMBER_WITH_COUNT);

        /** The hook in the class itself; null if there is none. */
        public final String hook;
        public final Operand operand;

        Effect() {
            this(null, null);
        }

        Effect(String hook, Operand operand) {
            this.hook = hook;
            this.operand = operand;
        }
    }

    /**
     * The arguments of a hook in the class itself: nothing; a local; the receiver, or the first argument of a static method; the receiver and its
     * first argument, perhaps a number; the top of the stack; that, a truth value or a number there, the receiver, and perhaps its first argument, a
     * number; what is below two numbers on top of the stack; an object, and the value of one of its fields, a number or an object.
     */
    public enum Operand {
        THIS("Ljava/lang/Object;"), THIS_AND_FIRST("Ljava/lang/Object;Ljava/lang/Object;"), FIRST("Ljava/lang/Object;"), TOP_AND_THIS("Ljava/lang/Object;Ljava/lang/Object;"), TOP_AND_FIRST("Ljava/lang/Object;Ljava/lang/Object;"), WITH_COUNT("Ljava/lang/Object;I"), TOP("Ljava/lang/Object;"), RESULT("ZLjava/lang/Object;"),
        NUMBER("ILjava/lang/Object;"), NUMBER_WITH_COUNT("ILjava/lang/Object;I"), TRUTH("Z"), UNDER_NUMBERS("Ljava/lang/Object;"),
        NOTHING(""), FIELD("Ljava/lang/Object;I"), FIELD_OBJECT("Ljava/lang/Object;Ljava/lang/Object;");

        /** Types of the hook's parameters. */
        public final String types;

        Operand(String types) {
            this.types = types;
        }

        /** Whether the arguments are only what is on the stack, or nothing. */
        public boolean isOnStack() {
            return this == NOTHING || this == TOP || this == TRUTH || this == UNDER_NUMBERS || this == FIELD || this == FIELD_OBJECT;
        }
    }

    /** Where the hook is placed. */
    public enum Place {
        /** Around the call, in the program's classes. */
        CALLER,
        /** Before the call, in the class itself, so that the caller need not be instrumented. */
        CALL_INSIDE,
        /** The same, after the call. */
        AFTER_CALL,
        /** After a read of the field, in the class itself. */
        FIELD_READ,
        /** At the entry of the method itself. */
        ENTRY,
        /** At each return of the method itself. */
        RETURN
    }

    /** A row of the table. */
    public static final class Entry {
        /** Internal names of the classes that declare the method. */
        private final Set<String> owners;
        /** Name and descriptor of the method; a {@code *} at either end matches anything. */
        private final String method;
        /** For a call or a field inside: the method around it, perhaps with a {@code *} at either end; empty for any but those in {@code outside}. */
        private final String within;
        private final Set<String> outside;
        public final Place place;
        public final Effect effect;

        Entry(String owner, String method, String within, Place place, Effect effect) {
            this(Set.of(owner), method, within, place, effect);
        }

        /** Makes a row for a fence, in every overload. */
        Entry(Set<String> owners, String name) {
            this(owners, name + "(*", "", Place.CALLER, Effect.FENCE);
        }

        Entry(Set<String> owners, String method, String within, Place place, Effect effect) {
            this(owners, method, within, Set.of(), place, effect);
        }

        Entry(Set<String> owners, String method, Set<String> outside, Place place, Effect effect) {
            this(owners, method, "", outside, place, effect);
        }

        private Entry(Set<String> owners, String method, String within, Set<String> outside, Place place, Effect effect) {
            this.owners = owners;
            this.method = method;
            this.within = within;
            this.outside = outside;
            this.place = place;
            this.effect = effect;
        }

        boolean isOf(String owner) {
            return owners.contains(owner);
        }

        public boolean matches(String name, String desc) {
            if (method.startsWith("*")) {
                return isLike(method, name + desc);
            }
            // Compared in parts, because this is called for every instruction of the classes.
            if (!method.endsWith("*")) {
                return method.length() == name.length() + desc.length() && method.startsWith(name) && method.endsWith(desc);
            }
            int length = method.length() - 1;
            return length <= name.length() ? name.regionMatches(0, method, 0, length)
                : method.startsWith(name) && desc.regionMatches(0, method, name.length(), length - name.length());
        }

        /** Whether the row concerns the contents of the method with this name. */
        public boolean isWithin(String caller) {
            return within.isEmpty() ? !outside.contains(caller) : isLike(within, caller);
        }

        private static boolean isLike(String pattern, String found) {
            boolean isOpen = pattern.startsWith("*");
            boolean goesOn = pattern.endsWith("*");
            String middle = pattern.substring(isOpen ? 1 : 0, pattern.length() - (goesOn ? 1 : 0));
            return isOpen && goesOn ? found.contains(middle) : isOpen ? found.endsWith(middle) : goesOn ? found.startsWith(middle) : found.equals(middle);
        }
    }

    private static final String ANY = "java/lang/Object";
    private static final String THREAD = "java/lang/Thread";
    private static final String VIRTUAL = "java/lang/VirtualThread";
    private static final Set<String> THREADS = Set.of(THREAD, VIRTUAL);
    private static final String CONCURRENT = "java/util/concurrent/";
    private static final String POOL = CONCURRENT + "ThreadPoolExecutor";
    private static final String SCHEDULED = CONCURRENT + "ScheduledThreadPoolExecutor";
    private static final String FUTURE = CONCURRENT + "FutureTask";
    private static final String FORKED = CONCURRENT + "ForkJoinTask";
    private static final String FORK_POOL = CONCURRENT + "ForkJoinPool";
    private static final String COUNTING = CONCURRENT + "CountedCompleter";
    private static final String QUEUE = FORK_POOL + "$WorkQueue";
    private static final String COMPLETABLE = CONCURRENT + "CompletableFuture";
    private static final String LATCH = CONCURRENT + "CountDownLatch$Sync";
    private static final String SEMAPHORE = CONCURRENT + "Semaphore$Sync";
    private static final String FAIR_SEMAPHORE = CONCURRENT + "Semaphore$FairSync";
    private static final String BARRIER = CONCURRENT + "CyclicBarrier";
    private static final String FLOCK = "jdk/internal/misc/ThreadFlock";
    private static final String PHASER = CONCURRENT + "Phaser";

    /** The classes of what runs when one or more futures are complete; which of them exist depends on the JVM. */
    private static final Set<String> DEPENDENTS = ofFutures("UniApply", "UniAccept", "UniRun", "UniWhenComplete", "UniHandle", "UniExceptionally",
        "UniComposeExceptionally", "UniRelay", "UniCompose", "BiApply", "BiAccept", "BiRun", "BiRelay", "OrApply", "OrAccept", "OrRun", "AnyOf");
    /** The classes that read results of futures. */
    private static final Set<String> FUTURES = union(DEPENDENTS, union(Set.of(COMPLETABLE), ofFutures("MinimalStage", "AsyncSupply", "AsyncRun")));
    private static final String RESULT = "resultLjava/lang/Object;";
    /** Methods that read a result to wait for it; and others after which something reads it again. */
    private static final Set<String> LOOKS_AGAIN = Set.of("get", "join", "waitingGet", "timedGet", "postFire", "unipush", "bipush", "orpush");
    private static final String STATUS = "statusI";

    private static final Set<String> DRAINED = Set.of(CONCURRENT + "ArrayBlockingQueue", CONCURRENT + "LinkedBlockingQueue", CONCURRENT + "LinkedBlockingDeque",
        CONCURRENT + "PriorityBlockingQueue", CONCURRENT + "DelayQueue", CONCURRENT + "LinkedTransferQueue", CONCURRENT + "SynchronousQueue");

    private static final String ATOMIC = "java/util/concurrent/atomic/";
    /** Not those with a mark or a stamp, which write only what is new. */
    private static final Set<String> ATOMICS = Set.of(ATOMIC + "AtomicBoolean", ATOMIC + "AtomicInteger", ATOMIC + "AtomicLong", ATOMIC + "AtomicReference",
        ATOMIC + "AtomicIntegerArray", ATOMIC + "AtomicLongArray", ATOMIC + "AtomicReferenceArray", ATOMIC + "AtomicIntegerFieldUpdater",
        ATOMIC + "AtomicLongFieldUpdater", ATOMIC + "AtomicReferenceFieldUpdater");
    private static final Set<String> HANDLE = Set.of("java/lang/invoke/VarHandle");
    private static final Set<String> UNSAFE = Set.of("sun/misc/Unsafe");
    private static final Set<String> ATOMICS_AND_HANDLE = union(ATOMICS, HANDLE);
    private static final Set<String> HANDLE_AND_UNSAFE = union(HANDLE, UNSAFE);

    private static final Entry[] TABLE = {
        new Entry(ANY, "wait()V", "", Place.CALLER, Effect.WAIT),
        new Entry(ANY, "wait(J)V", "", Place.CALLER, Effect.WAIT),
        new Entry(ANY, "wait(JI)V", "", Place.CALLER, Effect.WAIT),
        // It waits for its argument, which is where the receiver of wait(J)V is.
        new Entry(ModelledCalls.TIME_UNIT, "timedWait(Ljava/lang/Object;J)V", "", Place.CALLER, Effect.WAIT),
        // A thread that parks only for a time, without an object for which it does, often just pauses.
        new Entry(ModelledCalls.LOCK_SUPPORT, "park()V", "", Place.CALLER, Effect.PARK), new Entry(ModelledCalls.LOCK_SUPPORT, "park(L*", "", Place.CALLER, Effect.PARK),
        new Entry(ModelledCalls.LOCK_SUPPORT, "parkNanos(L*", "", Place.CALLER, Effect.PARK), new Entry(ModelledCalls.LOCK_SUPPORT, "parkUntil(L*", "", Place.CALLER, Effect.PARK),
        new Entry(ANY, "clone()L*", "", Place.CALLER, Effect.COPY),
        // Only the call of the native start proves that the thread is new.
        new Entry(THREAD, "start0()V", "", Place.CALL_INSIDE, Effect.FORK),
        // The other joins call these.
        new Entry(THREAD, "join(J)V", "", Place.RETURN, Effect.JOIN),
        new Entry(THREAD, "join(Ljava/time/Duration;)Z", "", Place.RETURN, Effect.JOIN),
        new Entry(THREAD, "exit()V", "", Place.ENTRY, Effect.END),
        new Entry(THREADS, "interrupt()V", "", Place.ENTRY, Effect.INTERRUPT),
        new Entry(THREAD, "interrupted()Z", "", Place.RETURN, Effect.CLEARED),
        new Entry(THREADS, "isInterrupted()Z", "", Place.RETURN, Effect.FLAG),
        new Entry("java/lang/InterruptedException", "<init>(*", "", Place.RETURN, Effect.INTERRUPTED),
        new Entry(VIRTUAL, "*ubmitRunContinuation*", "start", Place.CALL_INSIDE, Effect.FORK),
        new Entry(VIRTUAL, "afterDone(Z)V", "", Place.ENTRY, Effect.END),
        // The threads of a scope of structured concurrency.
        new Entry(FLOCK, "onExit(Ljava/lang/Thread;)V", "", Place.ENTRY, Effect.LEFT),
        new Entry(FLOCK, "awaitAll(*", "", Place.RETURN, Effect.ALL_LEFT),
        new Entry(POOL, "execute(Ljava/lang/Runnable;)V", "", Place.ENTRY, Effect.SUBMIT),
        new Entry(POOL, "reject(Ljava/lang/Runnable;)V", "", Place.ENTRY, Effect.REFUSE),
        new Entry(POOL, "run()V", "runWorker", Place.CALL_INSIDE, Effect.RUN),
        new Entry(POOL, "run()V", "runWorker", Place.AFTER_CALL, Effect.RAN),
        // Once a worker is no longer counted, a pool can be found terminated before the worker gets to its exit. Workers that a task has ended only
        // get there.
        new Entry(POOL, "decrementWorkerCount()V", "getTask", Place.CALL_INSIDE, Effect.WORKER_ENDS),
        new Entry(POOL, "compareAndDecrementWorkerCount(I)Z", "getTask", Place.CALL_INSIDE, Effect.WORKER_ENDS),
        new Entry(POOL, "processWorkerExit(*", "", Place.ENTRY, Effect.WORKER_ENDS),
        new Entry(POOL, "awaitTermination(*", "", Place.RETURN, Effect.TERMINATED),
        new Entry(POOL, "isTerminated()Z", "", Place.RETURN, Effect.TERMINATED),
        new Entry(SCHEDULED, "delayedExecute(*", "", Place.ENTRY, Effect.SUBMIT),
        new Entry(SCHEDULED, "reExecutePeriodic(*", "", Place.ENTRY, Effect.SUBMIT),
        new Entry("java/util/Timer", "sched(Ljava/util/TimerTask;JJ)V", "", Place.ENTRY, Effect.SCHEDULE),
        new Entry("java/util/TimerThread", "run()V", "mainLoop", Place.CALL_INSIDE, Effect.REPEAT),
        new Entry("java/util/TimerThread", "run()V", "mainLoop", Place.AFTER_CALL, Effect.RAN),
        // All its methods that take a task call one of these, with the task as the last argument; which one depends on the JVM.
        new Entry(FORK_POOL, "externalSubmit(*", "execute", Place.CALL_INSIDE, Effect.SUBMIT_FOR),
        new Entry(FORK_POOL, "externalSubmit(*", "submit", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        new Entry(FORK_POOL, "externalSubmit(*", "invoke", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        new Entry(FORK_POOL, "externalSubmit(*", "invokeAll", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        new Entry(FORK_POOL, "poolSubmit(*", "execute", Place.CALL_INSIDE, Effect.SUBMIT_FOR),
        new Entry(FORK_POOL, "poolSubmit(*", "submit", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        new Entry(FORK_POOL, "poolSubmit(*", "invoke", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        new Entry(FORK_POOL, "poolSubmit(*", "invokeAll", Place.CALL_INSIDE, Effect.SUBMIT_MADE),
        // For tasks that are to run later, since Java 25; a thread of the pool's own runs some of them.
        new Entry(CONCURRENT + "DelayScheduler", "pend(*", "", Place.ENTRY, Effect.SUBMIT),
        new Entry(CONCURRENT + "DelayScheduler", "doExec()*", "loop", Place.CALL_INSIDE, Effect.RUN),
        new Entry(CONCURRENT + "DelayScheduler", "doExec()*", "loop", Place.AFTER_CALL, Effect.RAN),
        new Entry(FORKED, "fork()*", "", Place.ENTRY, Effect.SUBMIT_THIS),
        // Only calls in the pool prove that the task was taken from a queue.
        new Entry(FORK_POOL, "doExec()*", "*elp*", Place.CALL_INSIDE, Effect.RUN),
        new Entry(FORK_POOL, "doExec()*", "*elp*", Place.AFTER_CALL, Effect.RAN),
        new Entry(FORK_POOL, "doExec()*", "await*", Place.CALL_INSIDE, Effect.RUN),
        new Entry(FORK_POOL, "doExec()*", "await*", Place.AFTER_CALL, Effect.RAN),
        new Entry(QUEUE, "doExec()*", "*elp*", Place.CALL_INSIDE, Effect.RUN),
        new Entry(QUEUE, "doExec()*", "*elp*", Place.AFTER_CALL, Effect.RAN),
        new Entry(QUEUE, "doExec()*", "topLevelExec", Place.CALL_INSIDE, Effect.RUN),
        new Entry(QUEUE, "doExec()*", "topLevelExec", Place.AFTER_CALL, Effect.RAN),
        new Entry(QUEUE, "doExec()*", "tryRemoveAndExec", Place.CALL_INSIDE, Effect.RUN),
        new Entry(QUEUE, "doExec()*", "tryRemoveAndExec", Place.AFTER_CALL, Effect.RAN),
        // Every JVM has some of these.
        new Entry(FORKED, "getAndBitwiseOr*", "setDone", Place.CALL_INSIDE, Effect.TRY_END),
        new Entry(FORKED, "getAndBitwiseOr*", "setDone", Place.AFTER_CALL, Effect.WAS),
        new Entry(FORKED, "getAndBitwiseOr*", "trySetCancelled", Place.CALL_INSIDE, Effect.TRY_END),
        new Entry(FORKED, "getAndBitwiseOr*", "trySetCancelled", Place.AFTER_CALL, Effect.WAS),
        new Entry(FORKED, "casStatus(II)Z", "trySet*", Place.CALL_INSIDE, Effect.TRY_END),
        new Entry(FORKED, "casStatus(II)Z", "trySet*", Place.AFTER_CALL, Effect.ENDED),
        new Entry(FORKED, "casStatus(II)Z", "awaitDone", Place.CALL_INSIDE, Effect.TRY_END),
        new Entry(FORKED, "casStatus(II)Z", "awaitDone", Place.AFTER_CALL, Effect.ENDED),
        new Entry(FORKED, "weakCompareAndSet*", "abnormalCompletion", Place.CALL_INSIDE, Effect.TRY_END),
        new Entry(FORKED, "weakCompareAndSet*", "abnormalCompletion", Place.AFTER_CALL, Effect.ENDED),
        new Entry(FORKED, STATUS, "is*", Place.FIELD_READ, Effect.SEE_STATUS), new Entry(FORKED, STATUS, "state", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "*Now", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "getException", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "trySet*", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "abnormalCompletion", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "recordExceptionalCompletion", Place.FIELD_READ, Effect.SEE_STATUS),
        new Entry(FORKED, STATUS, "get", Place.FIELD_READ, Effect.GET_STATUS), new Entry(FORKED, STATUS, "join", Place.FIELD_READ, Effect.GET_STATUS),
        new Entry(FORKED, STATUS, "doJoin", Place.FIELD_READ, Effect.GET_STATUS), new Entry(FORKED, STATUS, "quietly*", Place.FIELD_READ, Effect.GET_STATUS),
        new Entry(FORKED, STATUS, "invokeAll", Place.FIELD_READ, Effect.GET_STATUS),
        new Entry(FORKED, "awaitDone(*", "", Place.RETURN, Effect.AWAITED), new Entry(FORKED, "doJoin()I", "", Place.RETURN, Effect.AWAITED),
        new Entry(FORKED, "doInvoke()I", "", Place.RETURN, Effect.AWAITED), new Entry(FORKED, "externalAwaitDone()I", "", Place.RETURN, Effect.AWAITED),
        new Entry(FORKED, "externalInterruptibleAwaitDone()I", "", Place.RETURN, Effect.AWAITED),
        // In Java 11 a worker waits in its pool. It returns only if the task was completed, neither by an exception nor by a cancellation.
        new Entry(FORKED, "get(J*", "", Place.RETURN, Effect.GET),
        // They first try to run the task, and need not read its status if it was complete.
        new Entry(FORKED, "invoke()*", "", Place.RETURN, Effect.GET), new Entry(FORKED, "quietlyInvoke()V", "", Place.RETURN, Effect.GET),
        // A task that has ended counts down the pending completions of another, and so on up to the root, if none is pending.
        new Entry(COUNTING, "pendingI", "tryComplete", Place.FIELD_READ, Effect.SEE_PENDING),
        new Entry(COUNTING, "pendingI", "propagateCompletion", Place.FIELD_READ, Effect.SEE_PENDING),
        new Entry(COUNTING, "pendingI", "firstComplete", Place.FIELD_READ, Effect.SEE_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "tryComplete", Place.CALL_INSIDE, Effect.COUNT_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "propagateCompletion", Place.CALL_INSIDE, Effect.COUNT_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "firstComplete", Place.CALL_INSIDE, Effect.COUNT_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "tryComplete", Place.AFTER_CALL, Effect.COUNTED_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "propagateCompletion", Place.AFTER_CALL, Effect.COUNTED_PENDING),
        new Entry(COUNTING, "weakCompareAndSet*", "firstComplete", Place.AFTER_CALL, Effect.COUNTED_PENDING),
        // Between the two states in which a future is and is not complete.
        new Entry(FUTURE, "setRelease(*", "set", Place.CALL_INSIDE, Effect.COMPLETE),
        new Entry(FUTURE, "setRelease(*", "setException", Place.CALL_INSIDE, Effect.COMPLETE),
        new Entry(FUTURE, "report(I)*", "", Place.ENTRY, Effect.GET),
        // It is only tried if the future was not complete.
        new Entry(FUTURE, "compareAndSet*", "cancel", Place.CALL_INSIDE, Effect.COMPLETE),
        new Entry(FUTURE, "compareAndSet*", "cancel", Place.AFTER_CALL, Effect.ENDED),
        new Entry(FUTURE, "stateI", "cancel", Place.FIELD_READ, Effect.SEE_STATE),
        new Entry(FUTURE, "stateI", "is*", Place.FIELD_READ, Effect.SEE_STATE),
        new Entry(FUTURE, "stateI", "state", Place.FIELD_READ, Effect.SEE_STATE),
        new Entry(FUTURE, "stateI", "toString", Place.FIELD_READ, Effect.SEE_STATE),
        new Entry(COMPLETABLE, "internalComplete(*", "", Place.ENTRY, Effect.TRY_COMPLETE),
        new Entry(COMPLETABLE, "internalComplete(*", "", Place.RETURN, Effect.COMPLETED),
        new Entry(COMPLETABLE, "completeNull()Z", "", Place.ENTRY, Effect.TRY_COMPLETE),
        new Entry(COMPLETABLE, "completeNull()Z", "", Place.RETURN, Effect.COMPLETED),
        new Entry(COMPLETABLE, "completeValue(*", "", Place.ENTRY, Effect.TRY_COMPLETE),
        new Entry(COMPLETABLE, "completeValue(*", "", Place.RETURN, Effect.COMPLETED),
        new Entry(COMPLETABLE, "completeThrowable(*", "", Place.ENTRY, Effect.TRY_COMPLETE),
        new Entry(COMPLETABLE, "completeThrowable(*", "", Place.RETURN, Effect.COMPLETED),
        new Entry(COMPLETABLE, "completeRelay(*", "", Place.ENTRY, Effect.TRY_COMPLETE),
        new Entry(COMPLETABLE, "completeRelay(*", "", Place.RETURN, Effect.COMPLETED),
        new Entry(COMPLETABLE, "obtrudeValue(*", "", Place.ENTRY, Effect.COMPLETE),
        new Entry(COMPLETABLE, "obtrudeException(*", "", Place.ENTRY, Effect.COMPLETE),
        // A thread that reads a result comes after the one that has completed the future, whichever methods they call, and
        // when.
        new Entry(FUTURES, RESULT, LOOKS_AGAIN, Place.FIELD_READ, Effect.SEE_RESULT),
        new Entry(COMPLETABLE, RESULT, "get", Place.FIELD_READ, Effect.GET_RESULT), new Entry(COMPLETABLE, RESULT, "join", Place.FIELD_READ, Effect.GET_RESULT),
        new Entry(COMPLETABLE, RESULT, "waitingGet", Place.FIELD_READ, Effect.GET_RESULT),
        new Entry(COMPLETABLE, RESULT, "timedGet", Place.FIELD_READ, Effect.GET_RESULT),
        new Entry(ofFutures("UniCompletion", "AnyOf"), "<init>(*", "", Place.RETURN, Effect.REGISTER),
        new Entry(DEPENDENTS, "tryFire(I)*", "", Place.ENTRY, Effect.FIRE), new Entry(DEPENDENTS, "tryFire(I)*", "", Place.RETURN, Effect.FIRED),
        new Entry(COMPLETABLE, "postComplete()V", "", Place.ENTRY, Effect.FIRE_ALL),
        new Entry(COMPLETABLE, "allOf(*", "", Place.ENTRY, Effect.REGISTER_ALL), new Entry(COMPLETABLE, "allOf(*", "", Place.RETURN, Effect.REGISTERED_ALL),
        new Entry(COMPLETABLE, "anyOf(*", "", Place.ENTRY, Effect.REGISTER_ALL), new Entry(COMPLETABLE, "anyOf(*", "", Place.RETURN, Effect.REGISTERED_ALL),
        new Entry(FUTURE, "<init>(*", "", Place.RETURN, Effect.MAKE_TASK), new Entry(COMPLETABLE, "<init>(*", "", Place.RETURN, Effect.MAKE_TASK),
        new Entry(FORKED, "<init>(*", "", Place.RETURN, Effect.MAKE_TASK),
        new Entry(LATCH, "<init>(I)V", "", Place.RETURN, Effect.MAKE),
        new Entry(LATCH, "compareAndSetState(II)Z", "tryReleaseShared", Place.CALL_INSIDE, Effect.ARRIVE),
        new Entry(LATCH, "compareAndSetState(II)Z", "tryReleaseShared", Place.AFTER_CALL, Effect.ARRIVED),
        new Entry(LATCH, "tryAcquireShared(I)I", "", Place.RETURN, Effect.PASS), new Entry(LATCH, "getCount()I", "", Place.RETURN, Effect.ASK_COUNT),
        new Entry(DRAINED, "add(Ljava/lang/Object;)Z", "drainTo", Place.CALL_INSIDE, Effect.DRAIN),
        new Entry(CONCURRENT + "ConcurrentHashMap$BaseIterator", "replaceNode(*", "remove", Place.AFTER_CALL, Effect.REMOVED),
        new Entry(Set.of(CONCURRENT + "ConcurrentSkipListMap$Iter", CONCURRENT + "ConcurrentSkipListMap$SubMap$SubMapIter"), "remove(Ljava/lang/Object;)*", "remove",
            Place.AFTER_CALL, Effect.REMOVED),
        new Entry(SEMAPHORE, "<init>(I)V", "", Place.RETURN, Effect.MAKE_SEMAPHORE),
        new Entry(SEMAPHORE, "tryReleaseShared(I)Z", "", Place.ENTRY, Effect.RELEASE),
        new Entry(SEMAPHORE, "nonfairTryAcquireShared(I)I", "", Place.ENTRY, Effect.ATTEMPT),
        new Entry(SEMAPHORE, "nonfairTryAcquireShared(I)I", "", Place.RETURN, Effect.ACQUIRED),
        new Entry(FAIR_SEMAPHORE, "tryAcquireShared(I)I", "", Place.ENTRY, Effect.ATTEMPT),
        new Entry(FAIR_SEMAPHORE, "tryAcquireShared(I)I", "", Place.RETURN, Effect.ACQUIRED),
        new Entry(SEMAPHORE, "drainPermits()I", "", Place.ENTRY, Effect.ATTEMPT),
        new Entry(SEMAPHORE, "drainPermits()I", "", Place.RETURN, Effect.DRAINED),
        new Entry(SEMAPHORE, "reducePermits(I)V", "", Place.ENTRY, Effect.REDUCE),
        // While the barrier's own lock is held, except for the last.
        new Entry(BARRIER, "<init>(ILjava/lang/Runnable;)V", "", Place.RETURN, Effect.MAKE_BARRIER),
        new Entry(BARRIER, "lock()V", "dowait", Place.AFTER_CALL, Effect.AT_BARRIER),
        new Entry(BARRIER, "run()V", "dowait", Place.CALL_INSIDE, Effect.MEET),
        new Entry(BARRIER, "breakBarrier()V", "", Place.ENTRY, Effect.SHATTER),
        new Entry(BARRIER, "nextGeneration()V", "", Place.ENTRY, Effect.TRIP),
        new Entry(BARRIER, "dowait(ZJ)I", "", Place.RETURN, Effect.LEAVE),
        new Entry(PHASER, "doArrive(I)I", "", Place.ENTRY, Effect.ARRIVES),
        new Entry(PHASER, "doArrive(I)I", "", Place.RETURN, Effect.HAS_ARRIVED),
        new Entry(PHASER, "arriveAndAwaitAdvance()I", "", Place.ENTRY, Effect.ARRIVES),
        new Entry(PHASER, "internalAwaitAdvance(*", "arriveAndAwaitAdvance", Place.CALL_INSIDE, Effect.WAITS_IN_PHASE),
        new Entry(PHASER, "onAdvance(II)Z", "", Place.CALL_INSIDE, Effect.PHASE_MEETS),
        new Entry(PHASER, "onAdvance(II)Z", "", Place.AFTER_CALL, Effect.PHASE_ENDS),
        new Entry(PHASER, "arriveAndAwaitAdvance()I", "", Place.RETURN, Effect.PHASE_SEEN),
        new Entry(PHASER, "awaitAdvance(I)I", "", Place.RETURN, Effect.PHASE_AWAITED),
        new Entry(PHASER, "awaitAdvanceInterruptibly(I*", "", Place.RETURN, Effect.PHASE_AWAITED),
        // With the semantics of volatile accesses; weaker ones promise no fence.
        new Entry(ATOMICS, "set"), new Entry(HANDLE, "setVolatile"), new Entry(HANDLE_AND_UNSAFE, "fullFence"),
        new Entry(ATOMICS_AND_HANDLE, "compareAndSet"), new Entry(ATOMICS_AND_HANDLE, "compareAndExchange"),
        new Entry(ATOMICS, "weakCompareAndSetVolatile"), new Entry(HANDLE, "weakCompareAndSet"),
        new Entry(ATOMICS_AND_HANDLE, "getAndSet"), new Entry(ATOMICS_AND_HANDLE, "getAndAdd"), new Entry(HANDLE, "getAndBitwiseOr"),
        new Entry(HANDLE, "getAndBitwiseAnd"), new Entry(HANDLE, "getAndBitwiseXor"), new Entry(ATOMICS, "addAndGet"),
        new Entry(ATOMICS, "getAndIncrement"), new Entry(ATOMICS, "getAndDecrement"), new Entry(ATOMICS, "incrementAndGet"),
        new Entry(ATOMICS, "decrementAndGet"), new Entry(ATOMICS, "getAndUpdate"), new Entry(ATOMICS, "updateAndGet"),
        new Entry(ATOMICS, "getAndAccumulate"), new Entry(ATOMICS, "accumulateAndGet"),
        new Entry(UNSAFE, "compareAndSwapInt"), new Entry(UNSAFE, "compareAndSwapLong"), new Entry(UNSAFE, "compareAndSwapObject"),
        new Entry(UNSAFE, "getAndSetInt"), new Entry(UNSAFE, "getAndSetLong"), new Entry(UNSAFE, "getAndSetObject"),
        new Entry(UNSAFE, "getAndAddInt"), new Entry(UNSAFE, "getAndAddLong"), new Entry(UNSAFE, "putBooleanVolatile"),
        new Entry(UNSAFE, "putByteVolatile"), new Entry(UNSAFE, "putShortVolatile"), new Entry(UNSAFE, "putCharVolatile"),
        new Entry(UNSAFE, "putIntVolatile"), new Entry(UNSAFE, "putLongVolatile"), new Entry(UNSAFE, "putFloatVolatile"),
        new Entry(UNSAFE, "putDoubleVolatile"), new Entry(UNSAFE, "putObjectVolatile"),
    };

    /** The rows for callers, by the method's name, which has no wildcard in them. */
    private static final Map<String, List<Entry>> CALLS = new HashMap<>();
    /** The rows whose hooks go into the class itself, by its internal name, in the order of the table. */
    private static final Map<String, List<Entry>> INSIDE = new LinkedHashMap<>();

    static {
        for (Entry entry : TABLE) {
            if (entry.effect == Effect.MAKE_TASK && !Session.isLate()) {
                continue;
            }
            if (entry.place != Place.CALLER) {
                for (String owner : entry.owners) {
                    if (!INSIDE.containsKey(owner)) {
                        INSIDE.put(owner, new ArrayList<>());
                    }
                    INSIDE.get(owner).add(entry);
                }
            } else {
                String name = entry.method.substring(0, entry.method.indexOf('('));
                if (!CALLS.containsKey(name)) {
                    CALLS.put(name, new ArrayList<>());
                }
                CALLS.get(name).add(entry);
            }
        }
    }

    private Models() {
    }

    private static Set<String> ofFutures(String... names) {
        Set<String> all = new LinkedHashSet<>();
        for (String name : names) {
            all.add(COMPLETABLE + '$' + name);
        }
        return all;
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new LinkedHashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** Returns the effect of a call in the program's code; null if there is none. */
    public static Effect of(MethodInsnNode call) {
        List<Entry> entries = CALLS.get(call.name);
        if (entries == null || call.owner.startsWith("[")) {
            return null;
        }
        for (Entry entry : entries) {
            // Every class has the methods of Object, none of which are static.
            boolean isOfAll = entry.isOf(ANY) && call.getOpcode() != Opcodes.INVOKESTATIC;
            if ((isOfAll || entry.isOf(call.owner)) && entry.matches(call.name, call.desc)) {
                return entry.effect;
            }
        }
        return null;
    }

    /** Returns the classes, with dots, that have rows whose hooks go into the class itself, in addition to threads. */
    public static List<String> tasks() {
        List<String> tasks = new ArrayList<>();
        for (String owner : INSIDE.keySet()) {
            if (!THREADS.contains(owner)) {
                tasks.add(owner.replace('/', '.'));
            }
        }
        return tasks;
    }

    /** Whether the class with this name, with dots, is one of them. */
    public static boolean isTasks(String type) {
        String owner = type.replace('.', '/');
        return INSIDE.containsKey(owner) && !THREADS.contains(owner);
    }

    /** Returns the rows whose hooks go into the class itself. */
    public static List<Entry> inside(String owner) {
        return INSIDE.getOrDefault(owner, List.of());
    }
}
