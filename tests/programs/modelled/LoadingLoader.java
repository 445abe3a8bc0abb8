package modelled;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A system class loader that loads classes of the platform in an order that a seed chooses: some before {@code main}, some when it is asked for another class for the
 * first time, which can be inside the agent's own transformation, and some after the program has started.
 */
public final class LoadingLoader extends URLClassLoader {
    private static final String[] NAMES = {"ForkJoinTask", "RecursiveTask", "CountedCompleter", "ForkJoinPool", "CompletableFuture", "CompletableFuture$UniApply",
        "CompletableFuture$BiApply", "CompletableFuture$AnyOf", "FutureTask", "ThreadPoolExecutor", "ScheduledThreadPoolExecutor", "CountDownLatch$Sync", "Semaphore$Sync",
        "CyclicBarrier", "Phaser", "LinkedBlockingQueue", "SynchronousQueue"};
    private static final List<String> LEFT = new ArrayList<>(Arrays.asList(NAMES));

    static {
        Collections.shuffle(LEFT, new Random(Long.getLong("seed", 0)));
    }

    private boolean hasBegun;
    /** How many classes are being defined, one because of the other. */
    private int defined;

    /** As the JVM makes it. */
    public LoadingLoader(ClassLoader parent) {
        super(new URL[0], parent);
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            appendToClassPathForInstrumentation(path);
        }
        load(NAMES.length / 4);
    }

    /** The JVM calls this with the path of an agent. */
    public void appendToClassPathForInstrumentation(String path) {
        try {
            addURL(new File(path).toURI().toURL());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (defined > 0 && !hasBegun && name.startsWith("dev.regiontrack.")) {
                hasBegun = true;
                load(NAMES.length / 4);
            }
            boolean isOfProgram = name.startsWith("violating.") || name.startsWith("modelled.") && !name.equals("modelled.LoadingLoader");
            Class<?> loaded = isOfProgram ? findLoadedClass(name) : super.loadClass(name, resolve);
            if (loaded == null) {
                defined++;
                loaded = findClass(name);
                defined--;
            }
            return loaded;
        }
    }

    /** Loads the rest. */
    public static void loadAll() {
        load(NAMES.length);
    }

    /** Loads some of those that are left. */
    private static synchronized void load(int count) {
        for (int i = 0; i < count && !LEFT.isEmpty(); i++) {
            try {
                Class.forName("java.util.concurrent." + LEFT.remove(0), false, null);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
