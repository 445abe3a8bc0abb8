import dev.regiontrack.check.Takes;
import java.io.InputStream;
import java.lang.ref.WeakReference;

/** Unreachable objects are collected although hooks have seen them: objects, values in arrays, classes with their loader. */
public class Collected {
    int n;
    static int s;

    static WeakReference<Object> written() {
        Collected c = new Collected();
        c.n = 3;
        return new WeakReference<>(c);
    }

    static WeakReference<Object> covered() {
        Collected c = new Collected();
        c.n = 3;
        System.out.print(c.n == 3 ? "" : "?");
        return new WeakReference<>(c);
    }

    /** Collected while this method still runs. */
    static void stored() throws Exception {
        Object[] array = new Object[1];
        array[0] = new Collected();
        WeakReference<Object> value = new WeakReference<>(array[0]);
        array = null;
        System.out.println("stored " + isCollected(value));
    }

    static final class Loader extends ClassLoader {
        Loader() {
            super(Collected.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("stress.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static WeakReference<Object> loaded() throws Exception {
        Loader loader = new Loader();
        Class<?> c = loader.loadClass("stress.Plain");
        ((Runnable) c.getConstructor().newInstance()).run();
        return new WeakReference<>(loader);
    }

    /** Calls of a method that is lent arrays, often enough to be linked, for receivers of a class that can be unloaded before this one. */
    static WeakReference<Object> called() throws Exception {
        Loader loader = new Loader();
        Takes takes = (Takes) loader.loadClass("stress.Taking").getConstructor().newInstance();
        for (int i = 0; i < 1000; i++) {
            if (takes.take("a", i) != 2) {
                System.out.println("?");
            }
        }
        return new WeakReference<>(loader);
    }

    static boolean isCollected(WeakReference<Object> ref) throws Exception {
        for (int i = 0; i < 100 && ref.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return ref.get() == null;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("written " + isCollected(written()));
        System.out.println("covered " + isCollected(covered()));
        stored();
        System.out.println("loader " + isCollected(loaded()));
        System.out.println("receiver's loader " + isCollected(called()));
    }
}
