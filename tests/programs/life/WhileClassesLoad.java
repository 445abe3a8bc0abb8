package life;

import java.io.IOException;
import java.io.InputStream;
import schedule.Steps;

/**
 * A method that uses two classes for the first time, through a loader that locks itself, while another thread loads one. What the loader does belongs to no method that happens
 * to need a class.
 */
public class WhileClassesLoad {
    /** What a loaded class does. */
    public interface Work {
        int work();
    }

    /** Loads the classes of this file that are called so itself, one after the other. */
    private static final class Loader extends ClassLoader {
        private int loaded;

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (this) {
                loaded++;
                return name.startsWith("life.WhileClassesLoad$Loaded") ? findClass(name) : super.loadClass(name, resolve);
            }
        }

        @Override
        protected synchronized Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream file = WhileClassesLoad.class.getResourceAsStream('/' + name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static final class LoadedWork implements Work {
        @Override
        public int work() {
            int one = new LoadedFirst().number();
            Steps.done(1);
            Steps.await(2);
            return one + new LoadedSecond().number();
        }
    }

    static final class LoadedFirst {
        int number() {
            return 1;
        }
    }

    static final class LoadedSecond {
        int number() {
            return 2;
        }
    }

    public static final class LoadedMeanwhile implements Work {
        @Override
        public int work() {
            return 3;
        }
    }

    private static Work make(ClassLoader loader, String name) {
        try {
            return (Work) loader.loadClass("life.WhileClassesLoad$Loaded" + name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Loader loader = new Loader();
        Work work = make(loader, "Work");
        int[] results = new int[2];
        Steps.run(() -> results[0] = work.work(), () -> {
            Steps.await(1);
            results[1] = make(loader, "Meanwhile").work();
            Steps.done(2);
        });
        System.out.println(results[0] + results[1]);
    }
}
