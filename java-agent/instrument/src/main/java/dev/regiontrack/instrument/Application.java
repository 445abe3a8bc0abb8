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

/** The packages that the user has written: those of the jar or folder that the main class is in. Reports rank by them. */
final class Application {
    private static final String CLASS = ".class";
    /** Where Spring Boot keeps the user's classes in a jar whose main class is its own. */
    private static final String NESTED = "BOOT-INF/classes/";
    /** Enough for any project; a folder such as / as a class path must not keep the program from starting. */
    private static final int MOST_FILES = 20_000;

    private Application() {
    }

    /** With {@code :} between them, the package without a name as nothing; empty if no main class can be found. */
    static Optional<String> packages() {
        try {
            return packages(System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""));
        } catch (IOException | RuntimeException e) {
            // Whatever keeps us from reading it is the program's to complain about; without it nothing is a library.
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

    /** The packages of class files, but for those below others. */
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
