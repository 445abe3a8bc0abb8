package dev.regiontrack;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;

/**
 * What the JVM starts. It does four things: refuses a JVM that is too old, puts the runtime on the boot class path, makes the loader of the
 * instrumenter, and calls it. Nothing else may be in this class's jar entry: it is loaded by the application's loader. It is compiled for
 * Java 8, so that such a JVM gets to the refusal.
 */
public final class Premain {
    private static final String START = "dev.regiontrack.instrument.Start";
    private static final int OLDEST = 11;

    private Premain() {
    }

    /** Called by the JVM before the program's main. */
    public static void premain(String options, Instrumentation instrumentation) throws Exception {
        String version = System.getProperty("java.specification.version");
        String refusal = refusal(version);
        if (refusal != null) {
            System.err.println("regiontrack: " + refusal);
            Runtime.getRuntime().halt(2);
        }
        if (feature(version) == 11) {
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

    /** Why the agent cannot run on a JVM of this version, in one line; null if it can. */
    static String refusal(String version) {
        return feature(version) >= OLDEST ? null
            : "this JVM is of Java " + version + ", which is too old; run the program on Java " + OLDEST + " or newer";
    }

    /** The number that a version goes by: 8 of {@code 1.8}, 11 of {@code 11}. */
    private static int feature(String version) {
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    /** The platform loader, for which Java 8 has no name: the one below the boot loader. */
    private static ClassLoader platform() {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        while (loader.getParent() != null) {
            loader = loader.getParent();
        }
        return loader;
    }

    private static File unpacked(String name) throws IOException {
        File file = File.createTempFile("regiontrack", name);
        file.deleteOnExit();
        try (InputStream in = Premain.class.getResourceAsStream("/regiontrack/" + name)) {
            Files.copy(in, file.toPath(), StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }
}
