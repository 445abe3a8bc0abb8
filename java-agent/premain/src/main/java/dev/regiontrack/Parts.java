package dev.regiontrack;

import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;

/** The parts that are packed into the agent's jar, which contains this class. */
final class Parts implements Function<String, File>, Closeable {
    private static final String COMPRESSED = ".gz";
    /** A jar without entries: only the record that ends its directory. */
    private static final byte[] NO_ENTRIES = {'P', 'K', 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    final File file;
    private final JarFile jar;

    Parts() throws Exception {
        file = new File(Parts.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        jar = new JarFile(file);
    }

    /** Returns the platform of this JVM, as the jar's folders of native code name it: {@code linux-x86_64}. */
    static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
        String machine = System.getProperty("os.arch");
        String arch = machine.equals("amd64") ? "x86_64" : machine.equals("arm64") ? "aarch64" : machine;
        return system + '-' + arch;
    }

    /**
     * Unpacks an entry of the jar into a temporary file, decompressed if its name says that it is compressed; null if there is no such entry.
     * Throws {@link IllegalStateException} with the line to print.
     */
    @Override
    public File apply(String name) {
        ZipEntry entry = jar.getEntry(name);
        if (entry == null) {
            return null;
        }
        boolean isCompressed = name.endsWith(COMPRESSED);
        String last = name.substring(name.lastIndexOf('/') + 1, name.length() - (isCompressed ? COMPRESSED.length() : 0));
        String folder = System.getProperty("java.io.tmpdir");
        try (InputStream packed = jar.getInputStream(entry); InputStream in = isCompressed ? new GZIPInputStream(packed) : packed) {
            File file = created(folder, last);
            try (OutputStream out = new FileOutputStream(file)) {
                byte[] buffer = new byte[1 << 16];
                for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                }
            }
            return file;
        } catch (IOException e) {
            throw new IllegalStateException(failure(last, folder, e));
        }
    }

    /** Creates an empty jar in a temporary file. Throws as {@link #apply} does. */
    File empty(String last) {
        String folder = System.getProperty("java.io.tmpdir");
        try {
            File file = created(folder, last);
            try (OutputStream out = new FileOutputStream(file)) {
                out.write(NO_ENTRIES);
            }
            return file;
        } catch (IOException e) {
            throw new IllegalStateException(failure(last, folder, e));
        }
    }

    private static String failure(String last, String folder, IOException e) {
        return "cannot unpack its " + last + " into the folder for temporary files, " + folder + ": " + e.getMessage()
            + "; name one that can be written with -Djava.io.tmpdir=FOLDER";
    }

    /** Creates a new file. The JDK's own temporary files have random names, and their generator takes a tenth of the agent's start. */
    private static File created(String folder, String last) throws IOException {
        long number = System.nanoTime();
        File file = new File(folder, "regiontrack" + number + last);
        // Fails if such a file exists, even as a symbolic link, or if the folder is not writable.
        while (!file.createNewFile()) {
            file = new File(folder, "regiontrack" + ++number + last);
        }
        file.deleteOnExit();
        return file;
    }

    @Override
    public void close() throws IOException {
        jar.close();
    }
}
