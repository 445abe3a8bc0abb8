package dev.regiontrack.junit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The agent, where it is in this JVM: what it has for test frameworks is on the boot class path, and is called by its name, so that tests run without it,
 * too.
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
    /** Null in an agent that repeats no tests. */
    private final Repetitions repetitions;

    /** What a run of a test that is repeated does. */
    enum Next {
        /** There is nothing left to be tried. */
        NONE(""),
        /** It learns between which places other threads could come. */
        LEARNS(", which learns"),
        /** Threads are held there. */
        IS_STEERED(", in which threads are held"),
        /** As it is, before one that follows a schedule. */
        IS_PLAIN(""),
        /** It follows the schedule of the run. */
        REPLAYS(", which follows the schedule");

        /** Behind its number. */
        final String words;

        Next(String words) {
            this.words = words;
        }
    }

    private static final class Repetitions {
        final MethodHandle begin;
        /** Whether that takes the test's name. */
        final boolean hasName;
        final MethodHandle next;
        final MethodHandle over;
        final MethodHandle end;

        Repetitions(Class<?> api, MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            MethodHandle named = named(api, lookup);
            hasName = named != null;
            begin = hasName ? named : lookup.findStatic(api, "begin", MethodType.methodType(String.class));
            next = lookup.findStatic(api, "next", MethodType.methodType(String.class, int.class));
            over = lookup.findStatic(api, "over", MethodType.methodType(void.class));
            end = lookup.findStatic(api, "end", MethodType.methodType(void.class));
        }

        /** Null in an agent that leaves no schedules of tests. */
        private static MethodHandle named(Class<?> api, MethodHandles.Lookup lookup) throws IllegalAccessException {
            try {
                return lookup.findStatic(api, "begin", MethodType.methodType(String.class, String.class));
            } catch (NoSuchMethodException e) {
                return null;
            }
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
        end = lookup.findStatic(api, "end", MethodType.methodType(String[][].class, int.class));
    }

    /** The agent of this JVM, which is attached the first time if it can be; null, with a line on standard error the first time, if there is none. */
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

    /** Others that come meanwhile wait for the one that attaches it. */
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

    /** What to add. */
    static String missing(String why) {
        return "regiontrack-junit: the agent is not in this JVM (" + why + "), so no test fails because of a violation; add -javaagent:regiontrack.jar, with its"
            + " path, to the arguments of the JVM that runs the tests";
    }

    private boolean isActive() {
        return (boolean) call(isActive);
    }

    /** A new scope inside another one, or in none if that is 0. */
    int begin(int parent) {
        return (int) call(begin, parent);
    }

    /** The running thread works for this scope from now on. Returns the former one. */
    int enter(int scope) {
        return (int) call(enter, scope);
    }

    /** A scope ends: why there may be more findings, and each finding. */
    String[][] end(int scope) {
        return (String[][]) call(end, scope);
    }

    /** A test with this name is to be repeated; waits until no other one is. Returns why it cannot be, and what to add; empty if it can. */
    String beginRepeated(String test) {
        if (repetitions == null) {
            return OLD;
        }
        return (String) (repetitions.hasName ? call(repetitions.begin, test) : call(repetitions.begin));
    }

    /** What its next run does, of which this is the scope. */
    Next nextRun(int scope) {
        switch ((String) call(repetitions.next, scope)) {
            case "learn": return Next.LEARNS;
            case "steer": return Next.IS_STEERED;
            case "plain": return Next.IS_PLAIN;
            case "replay": return Next.REPLAYS;
            default: return Next.NONE;
        }
    }

    /** That is over, and what was found in it is known. */
    void endRun() {
        call(repetitions.over);
    }

    /** The test is over. */
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
