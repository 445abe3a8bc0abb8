import java.util.ArrayList;
import java.util.List;

/** Accesses to static fields that initialise the field's class, whose initialiser has accesses, arrays and monitors itself. */
public class StaticInit {
    static int made;

    /** Initialised by a write. */
    static class Config {
        static int level = first();
        static long wide = 7;
        static final List<String> NAMES = new ArrayList<>();
        int own;

        static {
            Config c = new Config();
            c.own = level;
            synchronized (NAMES) {
                for (int i = 0; i < 100; i++) {
                    NAMES.add("name " + c.own++);
                }
            }
            made++;
        }

        static int first() {
            int[] all = new int[10];
            for (int i = 0; i < all.length; i++) {
                all[i] = i + made;
            }
            return all[9];
        }
    }

    /** Its write initialises {@link Config}; a write in the next class initialises this one. */
    static class Above {
        static Object top = Config.NAMES;
        static double ratio;

        static {
            ratio = Config.level;
            Config.wide += 3;
            made++;
        }
    }

    static class Below extends Above {
        static String name = "below";

        static {
            name += made;
            made++;
        }
    }

    /** Its initialiser fails, so that the write throws and locks nothing. */
    static class Failing {
        static int n;

        static {
            made++;
            if (made > 0) {
                throw new IllegalStateException("no initialiser today");
            }
        }
    }

    /** Two threads whose writes initialise one class: one of them waits for the other. */
    static class Shared {
        static int n;
        static int[] values = new int[3];

        static {
            for (int i = 0; i < 1000; i++) {
                values[i % 3] += i;
                n += values[i % 3] & 1;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Config.level = 2;
        System.out.println(Config.level + " " + Config.wide + " " + Config.NAMES.size());
        Below.name = "written";
        System.out.println(Below.name + " " + Above.ratio + " " + Config.wide + " " + made);
        for (int i = 0; i < 2; i++) {
            try {
                Failing.n = 3;
            } catch (LinkageError e) {
                System.out.println(e.getClass().getName());
            }
        }
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> Shared.n = 4);
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(Shared.n + " " + Shared.values[0]);
    }
}
