package dev.regiontrack;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The entry point of the agent. It does three things: rejects a JVM that is too old, puts the runtime and the instrumenter
 * on the boot class path, and calls the instrumenter. Everything else is kept out of this class, because the application's
 * loader loads it. It is compiled for Java 8, so that a JVM of that version can run the check.
 */
public final class Premain implements Function<String, File> {
    private static final String START = "dev.regiontrack.instrument.start.Start";
    private static final int OLDEST = 11;

    /** The agent's jar. */
    private final JarFile jar;

    private Premain(JarFile jar) {
        this.jar = jar;
    }

    /** Called by the JVM before the program's main. If the agent cannot start, it prints one line and the program does not start. */
    public static void premain(String options, Instrumentation instrumentation) {
        String refusal = begin(options, instrumentation, false);
        if (refusal != null) {
            System.err.println("regiontrack: " + refusal);
            Runtime.getRuntime().halt(2);
        }
    }

    /** Called by the JVM when the agent is attached to a program that runs. If the agent cannot start, it prints one line and the program goes on as it is. */
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
        try (JarFile jar = new JarFile(new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
            return new Premain(jar).start(feature(version), options, instrumentation, isLate);
        } catch (IllegalStateException e) {
            // From here, with the line that says why.
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

    private String start(int feature, String options, Instrumentation instrumentation, boolean isLate) throws Exception {
        Class<?> start;
        try {
            // It is there if the agent was started before, or was about to.
            start = Class.forName(START, true, null);
        } catch (ClassNotFoundException e) {
            if (feature == 11) {
                append("boot11.jar", instrumentation);
            }
            append("boot.jar", instrumentation);
            start = Class.forName(START, true, null);
        }
        return (String) start.getMethod("start", String.class, Instrumentation.class, Function.class, boolean.class).invoke(null, options, instrumentation, this, isLate);
    }

    private void append(String part, Instrumentation instrumentation) throws IOException {
        String name = "regiontrack/" + part;
        File file = apply(name);
        if (file == null) {
            throw new IllegalStateException("its jar is damaged: there is no " + name + " in it; build it again with cargo xtask build");
        }
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(file));
        // The JVM has it open. A program that is killed leaves nothing behind, where open files can be deleted.
        file.delete();
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

    /** Unpacks an entry of the agent's jar into a temporary file; null if there is no such entry. Throws {@link IllegalStateException} with the line to print. */
    @Override
    public File apply(String name) {
        ZipEntry entry = jar.getEntry(name);
        if (entry == null) {
            return null;
        }
        String last = name.substring(name.lastIndexOf('/') + 1);
        String folder = System.getProperty("java.io.tmpdir");
        try (InputStream in = jar.getInputStream(entry)) {
            File file = created(folder, last);
            try (OutputStream out = new FileOutputStream(file)) {
                byte[] buffer = new byte[1 << 16];
                for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                }
            }
            return file;
        } catch (IOException e) {
            throw new IllegalStateException("cannot unpack its " + last + " into the folder for temporary files, " + folder + ": " + e.getMessage()
                + "; name one that can be written with -Djava.io.tmpdir=FOLDER");
        }
    }

    /** A new file. The JDK's own temporary files have random names, and their generator takes a tenth of the agent's start. */
    private static File created(String folder, String last) throws IOException {
        long number = System.nanoTime();
        File file = new File(folder, "regiontrack" + number + last);
        // Fails if there is such a file, also as a symbolic link, and if the folder cannot be written.
        while (!file.createNewFile()) {
            file = new File(folder, "regiontrack" + ++number + last);
        }
        file.deleteOnExit();
        return file;
    }
}
