package programs;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** A library's own tests: each thread takes the next test class until none is left. */
public final class JUnitSuite {
    private JUnitSuite() {
    }

    /**
     * The arguments are the number of threads, how often all tests run, the end of the name of the jar with the tests, which is on the class
     * path, and the start of the class names.
     */
    public static void main(String[] arguments) throws Exception {
        List<String> classes = classes(arguments[2], arguments[3]);
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        for (int i = Integer.parseInt(arguments[1]); i > 0; i--) {
            out.println(run(classes, Integer.parseInt(arguments[0])));
        }
    }

    /** Returns the test classes: the classes of the jar whose names end in Test. */
    private static List<String> classes(String jar, String start) throws Exception {
        Path libraries = Path.of(JUnitSuite.class.getProtectionDomain().getCodeSource().getLocation().toURI()).resolveSibling("libraries");
        Path tests;
        try (Stream<Path> files = Files.list(libraries)) {
            tests = files.filter(file -> file.getFileName().toString().endsWith(jar)).collect(Collectors.toList()).get(0);
        }
        List<String> classes = new ArrayList<>();
        try (JarFile file = new JarFile(tests.toFile())) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements();) {
                String name = entries.nextElement().getName().replace('/', '.');
                if (name.startsWith(start) && name.endsWith("Test.class")) {
                    classes.add(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
        return classes;
    }

    private static String run(List<String> classes, int threads) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger run = new AtomicInteger();
        TreeSet<String> failed = new TreeSet<>();
        Team.run(threads, number -> {
            for (int i = next.getAndIncrement(); i < classes.size(); i = next.getAndIncrement()) {
                Class<?> tests = Class.forName(classes.get(i), false, JUnitSuite.class.getClassLoader());
                if (java.lang.reflect.Modifier.isAbstract(tests.getModifiers())) {
                    continue;
                }
                Result result = new JUnitCore().run(Request.aClass(tests));
                run.addAndGet(result.getRunCount());
                synchronized (failed) {
                    for (Failure failure : result.getFailures()) {
                        failed.add(failure.getTestHeader());
                    }
                }
            }
            return number;
        });
        return run + " tests, " + failed.size() + " failures " + failed;
    }
}
