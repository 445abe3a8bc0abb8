import dev.regiontrack.check.Dump;

/** Makes dependencies of every kind, in dependency mode, then prints the items of each thread. */
public class Items {
    int a;
    int b;
    final Object lock = new Object();

    void write(int v) {
        a = v;
        b = v;
    }

    int read() {
        return a + b;
    }

    void locked() {
        synchronized (lock) {
            b++;
        }
    }

    /** A section that only reads. */
    final int peek() {
        synchronized (lock) {
            return 1;
        }
    }

    /** One that only reads at first, and two under it. */
    void peekAndWrite() {
        synchronized (lock) {
            if (peek() > 0) {
                b = peek();
            }
        }
    }

    /** A block that waits for a thread inside. */
    int forks(Runnable task) throws InterruptedException {
        int before = a;
        run(task);
        return before + a;
    }

    /** A block in which another thread writes between two reads. */
    int interrupted(Runnable task) throws InterruptedException {
        return outer(task) + b;
    }

    private int outer(Runnable task) throws InterruptedException {
        int before = a;
        other(task);
        return before + a;
    }

    private static void run(Runnable task) throws InterruptedException {
        Thread t = new Thread(task);
        t.start();
        t.join();
    }

    private static final java.util.concurrent.SynchronousQueue<Runnable> TASKS = new java.util.concurrent.SynchronousQueue<>();
    private static final java.util.concurrent.SynchronousQueue<String> DONE = new java.util.concurrent.SynchronousQueue<>();

    /** Runs the task on the other thread; the library's queues have no hooks, so that nothing else orders the two. */
    private static void other(Runnable task) throws InterruptedException {
        TASKS.put(task);
        DONE.take();
    }

    public static void main(String[] args) throws Exception {
        Items x = new Items();
        Thread second = new Thread() {
            @Override
            public void run() {
                try {
                    for (;;) {
                        TASKS.take().run();
                        DONE.put("");
                    }
                } catch (InterruptedException e) {
                    // The end.
                }
            }
        };
        second.setDaemon(true);
        second.start();
        Dump.mark("alone: nothing");
        x.write(1);
        x.read();
        x.locked();
        Dump.mark("the second thread reads, from the fork on; the readers are sources of the next write");
        other(x::read);
        x.write(2);
        Dump.mark("what is implied is no item: a second read of what was written together");
        other(x::read);
        other(x::read);
        Dump.mark("a lock");
        other(x::locked);
        x.locked();
        Dump.mark("a thread that is forked and joined in a block");
        x.forks(() -> x.write(3));
        Dump.mark("another thread writes in a block, and in one that calls it");
        x.interrupted(() -> x.write(4));
        x.read();
        Dump.mark("sections that only read follow the last one that wrote");
        x.locked();
        other(x::peek);
        x.peek();
        other(x::peek);
        Dump.mark("one that writes follows them, where it writes");
        other(x::peek);
        x.peekAndWrite();
        other(x::peek);
        run(x::peek);
        Dump.mark("of several threads");
        x.locked();
        Dump.print();
    }
}
