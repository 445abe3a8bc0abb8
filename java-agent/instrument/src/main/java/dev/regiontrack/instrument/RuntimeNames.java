package dev.regiontrack.instrument;

import dev.regiontrack.runtime.sites.ClassInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Internal names of the runtime's classes that instrumented code calls or mentions. */
public final class RuntimeNames {
    private static final String RUNTIME = "dev/regiontrack/runtime/";

    public static final String STATE = RUNTIME + "threads/ThreadState";
    /** Descriptor of the thread's state. */
    public static final String STATE_TYPE = "L" + STATE + ";";
    public static final String THREADS = RUNTIME + "threads/Threads";
    public static final String INITIALIZERS = RUNTIME + "threads/Initializers";
    public static final String SAMPLING = RUNTIME + "bodies/Sampling";
    public static final String PLATFORM = RUNTIME + "bodies/Platform";
    public static final String COPIES = RUNTIME + "sites/Copies";

    public static final String STEERING = RUNTIME + "steering/Steering";
    public static final String PRIORITIES = RUNTIME + "steering/Priorities";

    public static final String HOOKS = RUNTIME + "hooks/Hooks";
    public static final String INT_CHECKS = RUNTIME + "hooks/IntChecks";
    public static final String REFERENCE_CHECKS = RUNTIME + "hooks/ReferenceChecks";
    public static final String LONG_READS = RUNTIME + "hooks/LongReads";
    public static final String FLOAT_READS = RUNTIME + "hooks/FloatReads";
    public static final String DOUBLE_READS = RUNTIME + "hooks/DoubleReads";
    /** A class that is defined when the agent starts. */
    public static final String OUTLINED = RUNTIME + "hooks/Outlined";

    public static final String ASKING = RUNTIME + "hooks/Asking";
    public static final String ROUNDS = RUNTIME + "hooks/Rounds";
    public static final String OPERATION_HOOKS = RUNTIME + "models/OperationHooks";
    public static final String LOOKS = RUNTIME + "models/Looks";
    public static final String REMOVALS = RUNTIME + "models/Removals";
    public static final String LOADS = RUNTIME + "models/Loads";

    public static final String TASKS = RUNTIME + "jdk/Tasks";
    public static final String COMPLETERS = RUNTIME + "jdk/Completers";
    public static final String LATCHES = RUNTIME + "jdk/Latches";
    public static final String PERMITS = RUNTIME + "jdk/Permits";
    public static final String PHASERS = RUNTIME + "jdk/Phasers";
    public static final String INTERRUPTS = RUNTIME + "jdk/Interrupts";
    public static final String REFLECTED = RUNTIME + "jdk/Reflected";
    public static final String QUEUES = RUNTIME + "models/Queues";

    /** Every class that code of a program can call or mention. */
    public static final List<String> ALL = List.of(STATE, THREADS, INITIALIZERS, SAMPLING, PLATFORM, COPIES, STEERING, PRIORITIES, HOOKS, INT_CHECKS,
        REFERENCE_CHECKS, LONG_READS, FLOAT_READS, DOUBLE_READS, OUTLINED, ASKING, ROUNDS, OPERATION_HOOKS, LOOKS, REMOVALS, LOADS, TASKS, COMPLETERS, LATCHES,
        PERMITS, PHASERS, INTERRUPTS, REFLECTED, QUEUES);

    private RuntimeNames() {
    }

    /**
     * Whether a class file already has what this agent adds. Flight Recorder changes the classes of events as the JVM has them, not as they were in their
     * files.
     */
    public static boolean areIn(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.contains(RUNTIME) || text.contains(ClassInfo.SHADOW);
    }
}
