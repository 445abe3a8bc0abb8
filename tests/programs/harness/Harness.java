import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import run.Callback;

/**
 * Runs benchmarks in the manner of DaCapo's harness: {@code java -jar suite.jar [-s SIZE] [-n ITERATIONS] [-c CALLBACK] BENCHMARK}. The benchmark's classes
 * are in a jar inside the jar. It is unpacked, and each iteration gets a class loader of its own, which asks its parent last.
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
        String size = "small";
        int iterations = 1;
        int at = 0;
        for (; at < args.length && args[at].startsWith("-"); at += 2) {
            switch (args[at]) {
                case "-c":
                    callback = (Callback) Class.forName(args[at + 1]).getConstructor().newInstance();
                    break;
                case "-s":
                    size = args[at + 1];
                    break;
                case "-n":
                    iterations = Integer.parseInt(args[at + 1]);
                    break;
                default:
                    throw new IllegalArgumentException(args[at]);
            }
        }
        String benchmark = args[at];
        URL jar = unpacked("/jar/benchmarks.jar").toUri().toURL();
        boolean isValid = true;
        for (int i = 1; i <= iterations; i++) {
            try (BenchmarkLoader loader = new BenchmarkLoader(jar)) {
                Thread.currentThread().setContextClassLoader(loader);
                callback.start(benchmark, i == iterations);
                boolean isRight = iterate(loader, benchmark, size);
                callback.stop(benchmark, i == iterations, isRight);
                isValid &= isRight;
            }
        }
        System.exit(isValid ? 0 : 1);
    }

    private static boolean iterate(ClassLoader loader, String benchmark, String size) throws Exception {
        try {
            return (boolean) loader.loadClass("suite." + benchmark).getMethod("iterate", String.class).invoke(null, size);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }
}
