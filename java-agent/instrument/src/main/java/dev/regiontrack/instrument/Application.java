package dev.regiontrack.instrument;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packages of the application: those in the jar or folder of the main class. Reports use them for ranking. */
final class Application {
    private static final String CLASS = ".class";
    /** The folder of the user's classes in a Spring Boot jar, whose main class is Spring Boot's. */
    private static final String NESTED = "BOOT-INF/classes/";
    /** Enough for any project: the scan of a class path such as / must not delay the program's start. */
    private static final int MOST_FILES = 20_000;

    private Application() {
    }

    /** Separated by {@code :}, the unnamed package as an empty text; absent if the main class is not found. */
    static Optional<String> packages() {
        try {
            return packages(System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""));
        } catch (IOException | RuntimeException e) {
            // If it cannot be read, the program will report the error; without the packages nothing counts as a
            // library.
            return Optional.empty();
        }
    }

    static Optional<String> packages(String command, String classPath) throws IOException {
        if (!classPath.isEmpty() && classPath.endsWith(".jar") && command.startsWith(classPath)) {
            return Optional.of(ofJar(classPath));
        }
        String main = command.split(" ", 2)[0];
        String file = main.substring(main.indexOf('/') + 1).replace('.', '/') + CLASS;
        for (String entry : classPath.split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(entry))) {
                if (Files.exists(Path.of(entry, file))) {
                    return Optional.of(ofFolder(Path.of(entry)));
                }
            } else if (entry.endsWith(".jar") && Files.exists(Path.of(entry)) && holds(entry, file)) {
                return Optional.of(ofJar(entry));
            }
        }
        return Optional.empty();
    }

    private static boolean holds(String jar, String file) throws IOException {
        try (JarFile open = new JarFile(jar)) {
            return open.getEntry(file) != null;
        }
    }

    private static String ofJar(String jar) throws IOException {
        try (JarFile open = new JarFile(jar)) {
            boolean isNested = open.getEntry(NESTED) != null;
            return outermost(open.stream().map(entry -> entry.getName())
                .filter(name -> isNested ? name.startsWith(NESTED) : !name.startsWith("META-INF/"))
                .map(name -> isNested ? name.substring(NESTED.length()) : name));
        }
    }

    private static String ofFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return outermost(files.limit(MOST_FILES).map(file -> folder.relativize(file).toString().replace(File.separatorChar, '/')));
        }
    }

    /** The packages of class files, without those below others. */
    private static String outermost(Stream<String> files) {
        TreeSet<String> all = files.filter(file -> file.endsWith(CLASS) && !file.endsWith("module-info.class"))
            .map(file -> file.substring(0, Math.max(file.lastIndexOf('/'), 0)).replace('/', '.'))
            .collect(Collectors.toCollection(TreeSet::new));
        return all.stream().filter(name -> !isBelow(name, all)).collect(Collectors.joining(":"));
    }

    private static boolean isBelow(String name, TreeSet<String> all) {
        for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            if (all.contains(name.substring(0, dot))) {
                return true;
            }
        }
        return false;
    }
}
