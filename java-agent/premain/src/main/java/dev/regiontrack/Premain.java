package dev.regiontrack;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;

/**
 * The entry point of the agent. It does four things: rejects a JVM that is too old, puts the runtime on the boot class
 * path, creates the class loader of the instrumenter, and calls the instrumenter. Everything else is kept out of this
 * class, because the application's loader loads it. It is compiled for Java 8, so that a JVM of that version can run
 * the check.
 */
public final class Premain {
    private static final String START = "dev.regiontrack.instrument.Start";
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
        try {
            start(feature(version), options, instrumentation);
        } catch (InvocationTargetException e) {
            stop("cannot start: " + e.getCause());
        } catch (Exception | LinkageError e) {
            stop("cannot start: " + e);
        }
    }

    private static void start(int feature, String options, Instrumentation instrumentation) throws Exception {
        if (feature == 11) {
            instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(unpacked("boot11.jar")));
        }
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(unpacked("boot.jar")));
        URL core = unpacked("core.jar").toURI().toURL();
        // Never closed: the instrumenter lives as long as the program.
        @SuppressWarnings("resource")
        ClassLoader loader = new URLClassLoader(new URL[] {core}, platform());
        Class.forName(START, true, loader).getMethod("start", String.class, Instrumentation.class, ClassLoader.class)
            .invoke(null, options, instrumentation, Premain.class.getClassLoader());
    }

    private static void stop(String why) {
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

    /** The platform loader, the child of the boot loader: Java 8 has no method that returns it. */
    private static ClassLoader platform() {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        while (loader.getParent() != null) {
            loader = loader.getParent();
        }
        return loader;
    }

    private static File unpacked(String name) {
        String folder = System.getProperty("java.io.tmpdir");
        try (InputStream in = Premain.class.getResourceAsStream("/regiontrack/" + name)) {
            if (in == null) {
                stop("its jar is damaged: there is no regiontrack/" + name + " in it; build it again with cargo xtask build");
            }
            File file = File.createTempFile("regiontrack", name);
            file.deleteOnExit();
            Files.copy(in, file.toPath(), StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            stop("cannot unpack its " + name + " into the folder for temporary files, " + folder + ": " + e.getMessage()
                + "; name one that can be written with -Djava.io.tmpdir=FOLDER");
            throw new UncheckedIOException(e);
        }
    }
}
