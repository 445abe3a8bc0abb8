import dev.regiontrack.check.Balance;

/**
 * Overflows the stack in blocks, monitors and accesses, at many depths: the program sees no other difference, no
 * monitor stays locked, and the records are balanced.
 */
public class Overflow {
    static int depth;
    static int other;
    final Object lock = new Object();
    int n;
    Overflow next;

    /** A block with two accesses. */
    void block() {
        n++;
        depth++;
        block();
    }

    void monitor() {
        synchronized (lock) {
            n++;
            monitor();
        }
    }

    synchronized void method() {
        n++;
        method();
    }

    /** Frames of a different size. */
    long padded(long a, long b, long c, Object d) {
        long e = a + b;
        synchronized (this) {
            n++;
            next = this;
            synchronized (lock) {
                return padded(b, c, e, d) + n + other++;
            }
        }
    }

    interface Act {
        void run();
    }

    static void overflow(Act act) {
        try {
            act.run();
        } catch (StackOverflowError e) {
            depth = 0;
        }
    }

    /** Shifts the position at which the stack ends. */
    static void shifted(int by, Act act) {
        if (by > 0) {
            shifted(by - 1, act);
        } else {
            overflow(act);
        }
    }

    static void all(int times) {
        Overflow o = new Overflow();
        for (int i = 0; i < times; i++) {
            shifted(i % 7, o::block);
            shifted(i % 7, o::monitor);
            shifted(i % 7, o::method);
            shifted(i % 7, () -> o.padded(1, 2, 3, o));
        }
        synchronized (o.lock) {
            synchronized (o) {
                o.n = 1;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int times = Integer.parseInt(args[0]);
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(null, () -> all(times), "t" + i, 300_000 + 4_000 * i);
            t.start();
            t.join(60_000);
            System.out.println(t.isAlive() ? "hangs" : "ended");
            if (t.isAlive()) {
                for (StackTraceElement e : java.util.Arrays.copyOf(t.getStackTrace(), 8)) {
                    System.err.println(e);
                }
            }
        }
        other = 1;
        System.out.println(Boolean.getBoolean("regiontrack.test.keep") ? Balance.check() : "balanced");
        System.exit(0);
    }
}
