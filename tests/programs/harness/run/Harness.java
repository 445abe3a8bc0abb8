package run;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs benchmarks in the manner of DaCapo's harness: {@code java -jar suite.jar [-c CALLBACK] [-n ITERATIONS] BENCHMARK}. The benchmark's classes are in a
 * jar inside the jar. It is unpacked, and each iteration gets a class loader of its own, which asks its parent last.
 */
public final class Harness {
    private Harness() {
    }

    private static final class BenchmarkLoader extends URLClassLoader {
        BenchmarkLoader(URL jar) {
            super("benchmark", new URL[] {jar}, Harness.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                try {
                    return findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, isResolved);
                }
            }
        }
    }

    private static Path unpacked(String name) throws Exception {
        Path file = Files.createTempFile("suite", ".jar");
        file.toFile().deleteOnExit();
        try (InputStream in = Harness.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    public static void main(String[] args) throws Exception {
        Callback callback = new Callback();
        int iterations = 1;
        int at = 0;
        for (; at < args.length && args[at].startsWith("-"); at += 2) {
            if (args[at].equals("-c")) {
                callback = (Callback) Class.forName(args[at + 1]).getConstructor().newInstance();
            } else {
                iterations = Integer.parseInt(args[at + 1]);
            }
        }
        String benchmark = args[at];
        URL jar = unpacked("/jar/benchmarks.jar").toUri().toURL();
        boolean isValid = true;
        for (int i = 1; i <= iterations; i++) {
            try (BenchmarkLoader loader = new BenchmarkLoader(jar)) {
                Thread.currentThread().setContextClassLoader(loader);
                callback.start(benchmark, i);
                boolean isRight = iterate(loader, benchmark);
                callback.stop(benchmark, i, isRight);
                isValid &= isRight;
            }
        }
        System.exit(isValid ? 3 : 4);
    }

    private static boolean iterate(ClassLoader loader, String benchmark) throws Exception {
        try {
            return (boolean) loader.loadClass("suite." + benchmark).getMethod("iterate").invoke(null);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }
}
