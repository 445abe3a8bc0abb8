package dev.regiontrack.junit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The agent in this JVM, if it is there: its part for test frameworks is on the boot class path, and is called by name, so that tests also run
 * without the agent.
 */
public final class Agent {
    private static final String API = "dev.regiontrack.runtime.api.Scopes";
    private static final String REPETITIONS = "dev.regiontrack.runtime.api.Repetitions";
    private static final String OLD = "the agent is older than regiontrack-junit; use both of one release";
    private static volatile Agent found;
    private static volatile boolean hasTried;

    private final MethodHandle isActive;
    private final MethodHandle begin;
    private final MethodHandle enter;
    private final MethodHandle end;
    /** Both are null if the agent is older than this, and reports what tests expect like everything else. */
    private final MethodHandle endAll;
    private final MethodHandle expect;
    /** Null if the agent repeats no tests. */
    private final Repetitions repetitions;

    /** What a run of a repeated test does. */
    enum Next {
        /** There is no run: nothing is left to try. */
        NONE(""),
        /** The run learns between which places other threads could come. */
        LEARNS(", which learns"),
        /** Threads are held at these places. */
        IS_STEERED(", in which threads are held"),
        /** The run is not steered; the next one follows a schedule. */
        IS_PLAIN(""),
        /** The run follows its schedule. */
        REPLAYS(", which follows the schedule");

        /** The words after the number of the run. */
        final String words;

        Next(String words) {
            this.words = words;
        }
    }

    private static final class Repetitions {
        final MethodHandle begin;
        /** Whether {@code begin} takes the test's name. */
        final boolean hasName;
        final MethodHandle next;
        final MethodHandle over;
        final MethodHandle end;

        Repetitions(Class<?> api, MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            MethodHandle named = optional(api, lookup, "begin", MethodType.methodType(String.class, String.class));
            hasName = named != null;
            begin = hasName ? named : lookup.findStatic(api, "begin", MethodType.methodType(String.class));
            next = lookup.findStatic(api, "next", MethodType.methodType(String.class, int.class));
            over = lookup.findStatic(api, "over", MethodType.methodType(void.class));
            end = lookup.findStatic(api, "end", MethodType.methodType(void.class));
        }

        static Repetitions find(MethodHandles.Lookup lookup) {
            try {
                return new Repetitions(Class.forName(REPETITIONS, true, null), lookup);
            } catch (ReflectiveOperationException | LinkageError e) {
                return null;
            }
        }
    }

    private Agent(Class<?> api) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        repetitions = Repetitions.find(lookup);
        isActive = lookup.findStatic(api, "isActive", MethodType.methodType(boolean.class));
        begin = lookup.findStatic(api, "begin", MethodType.methodType(int.class, int.class));
        enter = lookup.findStatic(api, "enter", MethodType.methodType(int.class, int.class));
        MethodType ofEnd = MethodType.methodType(String[][].class, int.class);
        end = lookup.findStatic(api, "end", ofEnd);
        expect = optional(api, lookup, "expect", MethodType.methodType(void.class, int.class, String.class, String[].class));
        endAll = expect == null ? null : lookup.findStatic(api, "endAll", ofEnd);
    }

    /** Null if the agent does not have the method, because it is older than this. */
    private static MethodHandle optional(Class<?> api, MethodHandles.Lookup lookup, String name, MethodType type) throws IllegalAccessException {
        try {
            return lookup.findStatic(api, name, type);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /**
     * The agent of this JVM, which is attached on the first call if possible; null if there is none, with a line on standard error the first time.
     */
    public static Agent here() {
        Agent agent = find();
        if (agent == null && !hasTried) {
            agent = attached();
        }
        return agent;
    }

    private static Agent find() {
        Agent agent = found;
        try {
            if (agent == null) {
                agent = new Agent(Class.forName(API, true, null));
                found = agent;
            }
            return agent.isActive() ? agent : null;
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    /** Attaches the agent; other threads wait meanwhile. */
    private static synchronized Agent attached() {
        if (!hasTried) {
            String trouble = Attaching.attach();
            hasTried = true;
            if (find() == null) {
                System.err.println(missing(trouble == null ? "it has nothing for test frameworks" : trouble));
            }
        }
        return find();
    }

    /** The message about a missing agent, with what to add. */
    static String missing(String why) {
        return "regiontrack-junit: the agent is not in this JVM (" + why + "), so no test fails because of a violation; add -javaagent:regiontrack.jar, with its"
            + " path, to the arguments of the JVM that runs the tests";
    }

    private boolean isActive() {
        return (boolean) call(isActive);
    }

    /** Begins a scope inside {@code parent}, or outside of any if that is 0. */
    int begin(int parent) {
        return (int) call(begin, parent);
    }

    /** Makes the running thread work for this scope. Returns the former scope. */
    int enter(int scope) {
        return (int) call(enter, scope);
    }

    /** Ends a scope. Returns why there may be more findings, and each finding. */
    String[][] end(int scope) {
        return (String[][]) call(end, scope);
    }

    /** Whether a test can tell the agent which findings it expects. */
    boolean takesExpected() {
        return expect != null;
    }

    /** Ends a scope. Returns what {@link #end} does, and also suppressed and known findings, each after its number and whether it counts. */
    String[][] endAll(int scope) {
        return (String[][]) call(endAll, scope);
    }

    /** The test with this name, whose scope has ended, expects the findings with these numbers. */
    void expect(int scope, String test, String[] numbers) {
        call(expect, scope, test, numbers);
    }

    /**
     * Begins to repeat a test with this name; waits until no other test is repeated. Returns why that is impossible, and what to add; empty if it is
     * possible.
     */
    String beginRepeated(String test) {
        if (repetitions == null) {
            return OLD;
        }
        return (String) (repetitions.hasName ? call(repetitions.begin, test) : call(repetitions.begin));
    }

    /** What the test's next run does, whose scope this is. */
    Next nextRun(int scope) {
        switch ((String) call(repetitions.next, scope)) {
            case "learn": return Next.LEARNS;
            case "steer": return Next.IS_STEERED;
            case "plain": return Next.IS_PLAIN;
            case "replay": return Next.REPLAYS;
            default: return Next.NONE;
        }
    }

    /** Ends the run, whose findings are known. */
    void endRun() {
        call(repetitions.over);
    }

    /** Ends the repetition of the test. */
    void endRepeated() {
        call(repetitions.end);
    }

    private static Object call(MethodHandle method, Object... arguments) {
        try {
            return method.invokeWithArguments(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("no method of the agent throws this", e);
        }
    }
}
