package linked;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/**
 * Links, and so verifies, every class of the jars in some folders, and prints the outcome: one line for each class with the folder's
 * name, the class and {@code ok} or the error. No initializer runs, so the output does not depend on order, time or threads.
 */
public final class Links {
    private Links() {
    }

    /** The arguments are the folders. Each has its own class loader, which sees only the folder's jars and the platform. */
    public static void main(String[] folders) throws IOException {
        // Class names need not be in the platform's character set.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        for (String folder : folders) {
            File[] jars = new File(folder).listFiles((in, name) -> name.endsWith(".jar"));
            if (jars == null) {
                throw new IOException("no folder: " + folder);
            }
            Arrays.sort(jars);
            try (URLClassLoader loader = new URLClassLoader(urls(jars), ClassLoader.getPlatformClassLoader())) {
                for (String name : names(jars)) {
                    out.println(new File(folder).getName() + "\t" + name + "\t" + linked(name, loader));
                }
            }
        }
        if (out.checkError()) {
            throw new IOException("standard output cannot be written");
        }
    }

    private static URL[] urls(File[] jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toURI().toURL();
        }
        return urls;
    }

    /** Returns the classes of the jars, in the versions that this JVM uses. */
    private static Iterable<String> names(File[] jars) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (File jar : jars) {
            try (JarFile file = new JarFile(jar, false, ZipFile.OPEN_READ, Runtime.version())) {
                file.versionedStream().map(entry -> entry.getName()).filter(Links::isClass)
                    .forEach(name -> names.add(name.substring(0, name.length() - ".class".length()).replace('/', '.')));
            }
        }
        return names;
    }

    private static boolean isClass(String entry) {
        return entry.endsWith(".class") && !entry.startsWith("META-INF/") && !entry.endsWith("module-info.class");
    }

    /** Returns the outcome of linking a class. */
    private static String linked(String name, ClassLoader loader) {
        try {
            // HotSpot links a class before it returns its fields, and does not initialize it.
            Class.forName(name, false, loader).getDeclaredFields();
            return "ok";
        } catch (Throwable error) {
            return error.getClass().getName() + " " + shortened(String.valueOf(error.getMessage()));
        }
    }

    /** Returns the place and the reason of a verifier error, otherwise the first line. */
    private static String shortened(String message) {
        List<String> lines = new ArrayList<>();
        message.lines().map(String::trim).forEach(lines::add);
        int place = lines.indexOf("Location:") + 1;
        int reason = lines.indexOf("Reason:") + 1;
        if (place > 0 && place < lines.size() && reason > 0 && reason < lines.size()) {
            return lines.get(place) + ": " + lines.get(reason);
        }
        return lines.isEmpty() ? "" : lines.get(0);
    }
}
