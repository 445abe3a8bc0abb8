package life;

import schedule.Meanwhile;

/** A method in which a class is loaded by a loader of the program, and one in which a class is initialised. Both read what another thread has made of what the method wrote. */
public class LoadersInBetween {
    private static int first;
    private static int second;

    /** Finds none. */
    private static final class Loader extends ClassLoader {
        private int seen;

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            seen = second;
            throw new ClassNotFoundException(name);
        }
    }

    static class Reading {
        static int seen;

        static {
            seen = second;
        }
    }

    static int loads(Loader loader) {
        first = 1;
        Meanwhile.here();
        try {
            return loader.loadClass("none").getModifiers();
        } catch (ClassNotFoundException e) {
            return loader.seen;
        }
    }

    static int initializes() {
        first = 2;
        Meanwhile.here();
        return Reading.seen;
    }

    static void writesForIt() {
        second = first;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] results = new int[2];
        Loader loader = new Loader();
        Meanwhile.during(() -> results[0] = loads(loader), LoadersInBetween::writesForIt);
        Meanwhile.during(() -> results[1] = initializes(), LoadersInBetween::writesForIt);
        System.out.println(results[0] + results[1]);
    }
}
