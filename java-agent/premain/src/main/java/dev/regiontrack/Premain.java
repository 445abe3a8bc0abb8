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
        String version = System.getProperty("java.specification.version");
        String refusal = refusal(version);
        if (refusal != null) {
            stop(refusal);
        }
        try (Parts parts = new Parts()) {
            start(parts, feature(version), options, instrumentation);
        } catch (InvocationTargetException e) {
            stop("cannot start: " + e.getCause());
        } catch (Exception | LinkageError e) {
            stop("cannot start: " + e);
        }
    }

    private static void start(Parts parts, int feature, String options, Instrumentation instrumentation) throws Exception {
        if (feature == 11) {
            append(parts, "boot11.jar", instrumentation);
        }
        append(parts, "boot.jar", instrumentation);
        Class.forName(START, true, null).getMethod("start", String.class, Instrumentation.class, Function.class, String.class)
            .invoke(null, options, instrumentation, parts, Parts.platform());
    }

    private static void append(Parts parts, String part, Instrumentation instrumentation) throws IOException {
        String name = "regiontrack/" + part;
        File file = parts.apply(name);
        if (file == null) {
            stop("its jar is damaged: there is no " + name + " in it; build it again with cargo xtask build");
        }
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(file));
        // The JVM has it open. A program that is killed leaves nothing behind, where open files can be deleted.
        file.delete();
    }

    /** Ends the JVM with exit code 2, after this line. */
    static void stop(String why) {
        System.err.println("regiontrack: " + why.replace('\n', ' '));
        Runtime.getRuntime().halt(2);
    }

    /** Why the agent cannot run on a JVM of this version, in one line; null if it can. */
    static String refusal(String version) {
        return feature(version) >= OLDEST ? null
            : "this JVM is of Java " + version + ", which is too old; run the program on Java " + OLDEST + " or newer";
    }

    /** The major version: 8 for {@code 1.8}, 11 for {@code 11}. */
    private static int feature(String version) {
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
