package dev.regiontrack.instrument.start;

import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Enumeration;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The packages of the application: those in the folders and jars that the user names, or in that of the main class. Reports use them for ranking.
 * Written without lambdas, whose first use would delay the program's start.
 */
final class Application {
    private static final String CLASS = ".class";
    /** The folder of the user's classes in a Spring Boot jar, whose main class is Spring Boot's. */
    private static final String NESTED = "BOOT-INF/classes/";
    /** Enough for any project: the scan of a class path such as / must not delay the program's start. */
    private static final int MOST_FILES = 20_000;

    /** All packages that have class files, outer ones before nested ones. */
    private final TreeSet<String> all = new TreeSet<>();

    private Application() {
    }

    /**
     * Returns the packages separated by {@code :}, the unnamed package as an empty text; absent if the main class is not found. {@code own} names
     * folders and jars, with line breaks between them; those that do not exist (yet) have no packages. If none has one, or one cannot be read, a line
     * on standard error says so.
     */
    static Optional<String> packages(String own) {
        try {
            Optional<String> named = own.isEmpty() ? Optional.empty() : ofAll(own.split("\n"));
            if (named.isPresent()) {
                return named;
            }
            if (!own.isEmpty()) {
                System.err.println("regiontrack: own=" + own.replace('\n', ':') + ": no class file there; your own classes are taken to be those beside the main class");
            }
            return packages(System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""));
        } catch (IOException | RuntimeException e) {
            if (!own.isEmpty()) {
                System.err.println("regiontrack: own=" + own.replace('\n', ':') + ": cannot be read: " + e + "; no class is taken for a library");
            }
            // If it cannot be read, the program will report the error; without the packages nothing counts as a
            // library.
            return Optional.empty();
        }
    }

    static Optional<String> packages(String command, String classPath) throws IOException {
        if (!classPath.isEmpty() && classPath.endsWith(".jar") && command.startsWith(classPath)) {
            return ofAll(new String[] {classPath});
        }
        String main = command.split(" ", 2)[0];
        String file = main.substring(main.indexOf('/') + 1).replace('.', '/') + CLASS;
        for (String part : classPath.split(File.pathSeparator)) {
            String entry = part.isEmpty() ? "." : part;
            if (new File(entry).isDirectory()) {
                if (new File(entry, file).exists()) {
                    return ofAll(new String[] {entry});
                }
            } else if (entry.endsWith(".jar") && new File(entry).exists() && holds(entry, file)) {
                return ofAll(new String[] {entry});
            }
        }
        return Optional.empty();
    }

    /** Returns the packages of all of these folders and jars; absent if there is none. */
    static Optional<String> ofAll(String[] paths) throws IOException {
        Application found = new Application();
        for (String path : paths) {
            if (new File(path).isDirectory()) {
                found.addFolder(new File(path));
            } else if (new File(path).isFile()) {
                found.addJar(path);
            }
        }
        return found.all.isEmpty() ? Optional.empty() : Optional.of(found.outermost());
    }

    private static boolean holds(String jar, String file) throws IOException {
        try (JarFile open = new JarFile(jar)) {
            return open.getEntry(file) != null;
        }
    }

    private void addJar(String jar) throws IOException {
        try (JarFile open = new JarFile(jar)) {
            boolean isNested = open.getEntry(NESTED) != null;
            for (Enumeration<JarEntry> entries = open.entries(); entries.hasMoreElements();) {
                String name = entries.nextElement().getName();
                if (!isNested && !name.startsWith("META-INF/")) {
                    add(name);
                } else if (isNested && name.startsWith(NESTED)) {
                    add(name.substring(NESTED.length()));
                }
            }
        }
    }

    private void addFolder(File folder) {
        Deque<String> folders = new ArrayDeque<>();
        folders.add("");
        for (int files = 0; !folders.isEmpty() && files < MOST_FILES;) {
            String inside = folders.removeLast();
            String[] names = new File(folder, inside).list();
            for (int i = 0; names != null && i < names.length && files < MOST_FILES; i++, files++) {
                String name = inside + names[i];
                if (names[i].endsWith(CLASS)) {
                    add(name);
                } else if (names[i].indexOf('.') < 0 && new File(folder, name).isDirectory()) {
                    folders.add(name + '/');
                }
            }
        }
    }

    private void add(String file) {
        if (file.endsWith(CLASS) && !file.endsWith("module-info.class")) {
            all.add(file.substring(0, Math.max(file.lastIndexOf('/'), 0)).replace('/', '.'));
        }
    }

    /** Returns the packages that are not below others. */
    private String outermost() {
        StringJoiner result = new StringJoiner(":");
        for (String name : all) {
            if (!isBelowOther(name)) {
                result.add(name);
            }
        }
        return result.toString();
    }

    private boolean isBelowOther(String name) {
        for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            if (all.contains(name.substring(0, dot))) {
                return true;
            }
        }
        return false;
    }
}
