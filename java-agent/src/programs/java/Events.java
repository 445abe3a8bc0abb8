import dev.regiontrack.check.Dump;

/** Makes events of every kind, then prints the records of each thread. */
public class Events {
    int a;
    int b;
    static int s;
    final Object lock = new Object();

    /** A block: two accesses after super(). */
    Events(int v) {
        a = v;
        b = v;
    }

    /** No block: one access. */
    void one(int v) {
        a = v;
    }

    int two() {
        return a + b;
    }

    void nested() {
        one(1);
        two();
    }

    int bTwice() {
        return b + b;
    }

    void fails() {
        b++;
        throw new IllegalStateException();
    }

    synchronized void twice() {
        synchronized (this) {
            a++;
        }
    }

    void waits() throws InterruptedException {
        synchronized (lock) {
            lock.wait(1);
        }
    }

    /** A library class whose clone() has a covariant return type copies the shadow with the other fields. */
    @SuppressWarnings("serial")
    static class Deque extends java.util.ArrayDeque<Object> {
        int k = 1;

        int k() {
            return k;
        }
    }

    /** Writes to another object of its class before it calls super(). */
    static class Chain {
        int v;

        Chain(int v) {
        }

        Chain(Chain other) {
            this(other.v = 7);
        }
    }

    public static void main(String[] args) throws Exception {
        Dump.mark("constructor");
        Events e = new Events(1);
        Dump.mark("one access");
        e.one(2);
        Dump.mark("redundant read and write");
        e.one(2);
        Dump.mark("nested");
        e.nested();
        Dump.mark("exception");
        try {
            e.fails();
        } catch (IllegalStateException x) {
            Dump.mark("static");
        }
        s = 1;
        s++;
        Dump.mark("synchronized");
        e.twice();
        Dump.mark("wait");
        e.waits();
        Dump.mark("fork and join");
        Thread t = new Thread() {
            @Override
            public void run() {
                e.a = 5;
            }
        };
        t.start();
        t.join();
        Dump.mark("copy");
        Deque d = new Deque();
        System.out.print(d.k() == 1 ? "" : "?");
        Deque copy = (Deque) d.clone();
        System.out.print(copy.k() == 1 ? "" : "?");
        Dump.mark("before super");
        new Chain(new Chain(1));
        Dump.mark("implied");
        System.out.print(e.a == 5 ? "" : "?");
        Dump.mark("two readers");
        e.bTwice();
        Thread reader = new Thread() {
            @Override
            public void run() {
                e.bTwice();
            }
        };
        reader.start();
        reader.join();
        Dump.print();
    }
}
