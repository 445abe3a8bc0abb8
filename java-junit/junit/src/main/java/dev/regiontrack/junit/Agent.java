package dev.regiontrack.junit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The agent, where it is in this JVM: what it has for test frameworks is on the boot class path, and is called by its name, so that tests run without it,
 * too.
 */
public final class Agent {
    private static final String API = "dev.regiontrack.runtime.api.Scopes";
    /** Where the agent's jar is, for the message: a system property and a variable of the environment. */
    private static final String PROPERTY = "regiontrack.agent";
    private static final String VARIABLE = "REGIONTRACK_AGENT";
    private static final AtomicBoolean HAS_SAID = new AtomicBoolean();
    private static volatile Agent found;

    private final MethodHandle isActive;
    private final MethodHandle begin;
    private final MethodHandle enter;
    private final MethodHandle end;

    private Agent(Class<?> api) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        isActive = lookup.findStatic(api, "isActive", MethodType.methodType(boolean.class));
        begin = lookup.findStatic(api, "begin", MethodType.methodType(int.class, int.class));
        enter = lookup.findStatic(api, "enter", MethodType.methodType(int.class, int.class));
        end = lookup.findStatic(api, "end", MethodType.methodType(String[][].class, int.class));
    }

    /** The agent of this JVM; null, with a line on standard error the first time, if there is none. */
    public static Agent here() {
        Agent agent = found;
        if (agent == null) {
            try {
                agent = new Agent(Class.forName(API, true, null));
                found = agent;
            } catch (ReflectiveOperationException | LinkageError e) {
                agent = null;
            }
        }
        if (agent != null && agent.isActive()) {
            return agent;
        }
        if (HAS_SAID.compareAndSet(false, true)) {
            System.err.println(missing(jar()));
        }
        return null;
    }

    /** What to add, where the agent's jar is known or not. */
    static String missing(String jar) {
        return "regiontrack-junit: the agent is not in this JVM, so no test fails because of a violation; add -javaagent:"
            + (jar == null || jar.isEmpty() ? "regiontrack.jar, with its path," : jar) + " to the arguments of the JVM that runs the tests";
    }

    private static String jar() {
        try {
            String jar = System.getProperty(PROPERTY);
            return jar != null ? jar : System.getenv(VARIABLE);
        } catch (SecurityException e) {
            return null;
        }
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
