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
 * A system class loader, or the loader of a program that this one starts, that loads classes of the platform in an order that a seed chooses: some before {@code main}, some when
 * it is asked for another class for the first time, which can be inside the agent's own transformation, and some after the program has started.
 */
public final class LoadingLoader extends URLClassLoader {
    /** Unless the property {@code classes} has others. */
    private static final String[] NAMES = {"ForkJoinTask", "RecursiveTask", "CountedCompleter", "ForkJoinPool", "CompletableFuture", "CompletableFuture$UniApply",
        "CompletableFuture$BiApply", "CompletableFuture$AnyOf", "FutureTask", "ThreadPoolExecutor", "ScheduledThreadPoolExecutor", "CountDownLatch$Sync", "Semaphore$Sync",
        "CyclicBarrier", "Phaser", "LinkedBlockingQueue", "SynchronousQueue"};
    private static final List<String> LEFT = new ArrayList<>();
    /** How many are loaded before the agent has begun, and in its own transformation. */
    private static final int SOME;

    static {
        String classes = System.getProperty("classes");
        if (classes == null) {
            for (String name : NAMES) {
                LEFT.add("java.util.concurrent." + name);
            }
        } else {
            LEFT.addAll(Arrays.asList(classes.split(",")));
        }
        SOME = LEFT.size() / 4;
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
        load(SOME);
    }

    /** Starts the program that is named first in a loader of this kind, which the agent does not know before. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> program = new LoadingLoader(LoadingLoader.class.getClassLoader()).loadClass(args[0]);
        program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
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
                load(SOME);
            }
            boolean isOfProgram = name.startsWith("violating.") || name.startsWith("uses.") || name.startsWith("modelled.") && !name.equals("modelled.LoadingLoader");
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
        load(LEFT.size());
    }

    /** Loads the next two. */
    public static void loadSome() {
        load(2);
    }

    /** Loads some of those that are left. Not every JVM has each. */
    private static synchronized void load(int count) {
        for (int i = 0; i < count && !LEFT.isEmpty(); i++) {
            try {
                Class.forName(LEFT.remove(0), false, null);
            } catch (ClassNotFoundException e) {
                i--;
            }
        }
    }
}
