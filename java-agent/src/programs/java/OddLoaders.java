import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/** Loaders that load classes, or wait for another thread that does, while they are asked for the agent's runtime. */
public class OddLoaders {
    /** A class of the odd loaders. */
    public static class First implements Runnable {
        int n;

        @Override
        public synchronized void run() {
            n += 2;
            System.out.println(getClass().getName() + ' ' + n);
        }
    }

    /** Another one. */
    public static class Second extends First {
        @Override
        public synchronized void run() {
            n++;
            super.run();
        }
    }

    /** A class of these loaders whose superclasses are all of the platform. */
    public static class SecondAlone implements Runnable {
        int n;

        @Override
        public synchronized void run() {
            n += 3;
            System.out.println(getClass().getName() + ' ' + n);
        }
    }

    /** What a loader does when it is asked for the agent's runtime, before it looks for it. */
    interface Answer {
        void asked(ClassLoader loader) throws ClassNotFoundException;
    }

    /** Defines the classes above itself. A subclass would not be capable of parallel loading. */
    static final class Odd extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final Answer answer;

        Odd(Answer answer) {
            super(OddLoaders.class.getClassLoader());
            this.answer = answer;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.regiontrack.")) {
                answer.asked(this);
            }
            if (!name.startsWith("OddLoaders$First") && !name.startsWith("OddLoaders$Second")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = OddLoaders.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static void run(ClassLoader loader, String name) {
        try {
            ((Runnable) loader.loadClass(name).getConstructor().newInstance()).run();
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
    }

    /** Does not find the runtime; while the first thread asks, another loads a class and uses it. */
    private static void whileAnotherAsks() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        Thread[] first = new Thread[1];
        ClassLoader loader = new Odd(self -> {
            if (Thread.currentThread() == first[0]) {
                asked.countDown();
                try {
                    used.await();
                } catch (InterruptedException e) {
                    throw new ClassNotFoundException("interrupted", e);
                }
            }
            throw new ClassNotFoundException("not found by this loader");
        });
        first[0] = new Thread(() -> {
            try {
                loader.loadClass("OddLoaders$First");
            } catch (ClassNotFoundException e) {
                System.out.println(e);
            }
            asked.countDown();
        });
        first[0].start();
        asked.await();
        run(loader, "OddLoaders$SecondAlone");
        used.countDown();
        first[0].join();
        run(loader, "OddLoaders$First");
    }

    /** Finds the runtime, but first loads another of its classes. */
    private static void whileItAsksItself() {
        ClassLoader loader = new Odd(self -> self.loadClass("OddLoaders$SecondAlone"));
        run(loader, "OddLoaders$First");
        run(loader, "OddLoaders$SecondAlone");
        run(loader, "OddLoaders$Second");
    }

    public static void main(String[] args) throws Exception {
        whileAnotherAsks();
        whileItAsksItself();
    }
}
