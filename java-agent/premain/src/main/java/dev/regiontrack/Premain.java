package dev.regiontrack;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Function;
import java.util.jar.JarFile;

/**
 * The entry point of the agent. It does three things: rejects a JVM that is too old, puts the runtime and the instrumenter
 * on the boot class path, and calls the instrumenter. Everything else is kept out of this class, because the application's
 * loader loads it. It is compiled for Java 8, so that a JVM of that version can run the check.
 */
public final class Premain {
    private static final String START = "dev.regiontrack.instrument.start.Start";
    private static final int OLDEST = 11;

    private Premain() {
    }

    /** Called by the JVM before the program's main. If the agent cannot start, it prints one line and the program does not start. */
    public static void premain(String options, Instrumentation instrumentation) {
        String refusal = begin(options, instrumentation, false);
        if (refusal != null) {
            stop(refusal);
        }
    }

    /**
     * Called by the JVM when the agent is attached to a running program. If the agent cannot start, it prints one line and the program goes on
     * unchanged.
     */
    public static void agentmain(String options, Instrumentation instrumentation) {
        String refusal = begin(options, instrumentation, true);
        if (refusal != null) {
            System.err.println("regiontrack: not attached: " + refusal);
        }
    }

    /** Starts the agent. Returns why it cannot, or null. */
    private static synchronized String begin(String options, Instrumentation instrumentation, boolean isLate) {
        String version = System.getProperty("java.specification.version");
        String refusal = refusal(version);
        if (refusal != null) {
            return refusal;
        }
        try (Parts parts = new Parts()) {
            return start(parts, feature(version), options, instrumentation, isLate);
        } catch (IllegalStateException e) {
            // Thrown here or by the parts, with the line that says why.
            return inLine(e.getMessage());
        } catch (InvocationTargetException e) {
            return inLine("cannot start: " + e.getCause());
        } catch (Exception | LinkageError e) {
            return inLine("cannot start: " + e);
        }
    }

    private static String inLine(String text) {
        return text.replace('\n', ' ');
    }

    private static String start(Parts parts, int feature, String options, Instrumentation instrumentation, boolean isLate) throws Exception {
        Class<?> start;
        try {
            // It is already there if the agent was started before, or was about to.
            start = Class.forName(START, true, null);
        } catch (ClassNotFoundException e) {
            if (feature == 11) {
                append(parts, "boot11.jar", instrumentation);
            }
            append(parts, "boot.jar", instrumentation);
            start = Class.forName(START, true, null);
        }
        return (String) start.getMethod("start", String.class, Instrumentation.class, Function.class, String.class, boolean.class)
            .invoke(null, options, instrumentation, parts, Parts.platform(), isLate);
    }

    private static void append(Parts parts, String part, Instrumentation instrumentation) throws IOException {
        String name = "regiontrack/" + part;
        File empty = parts.empty(part);
        File full = null;
        try {
            full = parts.apply(name);
        } finally {
            if (full == null) {
                empty.delete();
            }
        }
        if (full == null) {
            throw new IllegalStateException("its jar is damaged: there is no " + name + " in it; build it again with cargo xtask build");
        }
        append(full, empty, instrumentation);
    }

    /**
     * Appends a jar. The JVM takes only the name of what it is given, and opens the file itself, so an empty jar is opened, which the other one then
     * replaces: with hundreds of entries, opening takes some milliseconds.
     */
    private static void append(File full, File empty, Instrumentation instrumentation) throws IOException {
        try (JarFile jar = new JarFile(empty)) {
            if (full.renameTo(empty)) {
                instrumentation.appendToBootstrapClassLoaderSearch(jar);
                // The JVM has it open. A killed program leaves nothing behind, where open files can be deleted.
                empty.delete();
                return;
            }
        }
        // Where open files cannot be replaced.
        empty.delete();
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(full));
        full.delete();
    }

    /** Ends the JVM with exit code 2, after this line, or after the agent's help, which has several. */
    static void stop(String why) {
        System.err.println("regiontrack: " + why);
        Runtime.getRuntime().halt(2);
    }

    /** Returns why the agent cannot run on a JVM of this version, in one line; null if it can. */
    static String refusal(String version) {
        return feature(version) >= OLDEST ? null
            : "this JVM is of Java " + version + ", which is too old; run the program on Java " + OLDEST + " or newer";
    }

    /** Returns the major version: 8 for {@code 1.8}, 11 for {@code 11}. */
    private static int feature(String version) {
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
