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
 * What the JVM starts. It does three things: puts the runtime on the boot class path, makes the loader of the instrumenter, and
 * calls it. Nothing else may be in this class's jar entry: it is loaded by the application's loader.
 */
public final class Premain {
    private static final String START = "dev.regiontrack.instrument.Start";

    private Premain() {
    }

    /** Called by the JVM before the program's main. */
    public static void premain(String options, Instrumentation instrumentation) throws Exception {
        if (Runtime.version().feature() == 11) {
            instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(unpacked("boot11.jar")));
        }
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(unpacked("boot.jar")));
        URL core = unpacked("core.jar").toURI().toURL();
        // Never closed: the instrumenter lives as long as the program.
        @SuppressWarnings("resource")
        ClassLoader loader = new URLClassLoader("regiontrack", new URL[] {core}, ClassLoader.getPlatformClassLoader());
        Class.forName(START, true, loader).getMethod("start", String.class, Instrumentation.class, ClassLoader.class)
            .invoke(null, options, instrumentation, Premain.class.getClassLoader());
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
