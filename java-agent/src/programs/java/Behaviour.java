import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Prints what a program can observe about itself: the same with and without the agent. */
public class Behaviour {
    // The test checks the default serialVersionUID.
    @SuppressWarnings("serial")
    static class Node implements Serializable {
        Node next;
        int value;
        long wide;
        Object[] array;

        Node(int value) {
            this.value = value;
        }
    }

    static class Failing {
        static int x = fail();

        static int fail() {
            throw new IllegalStateException("initialiser");
        }
    }

    static class Counter {
        int n;
        boolean isDone;

        synchronized int add() {
            return ++n;
        }

        synchronized void finish() {
            isDone = true;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!isDone) {
                wait();
            }
        }

        static synchronized int fromStatic(int k) {
            if (k < 0) {
                throw new IllegalArgumentException("k");
            }
            return k + 1;
        }
    }

    static Node root;

    public static void main(String[] args) throws Exception {
        messages();
        System.out.println(ObjectStreamClass.lookup(Node.class).getSerialVersionUID());
        initialiser();
        recursion();
        threads();
        waits();
        permits();
        shortThreads();
        blocks();
    }

    interface Act {
        void run() throws Throwable;
    }

    static void show(Act act) {
        try {
            act.run();
        } catch (Throwable e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    static void messages() {
        Node n = new Node(1);
        Node none = null;
        show(() -> System.out.println(n.next.value));
        show(() -> n.next.value = 3);
        show(() -> n.next.wide = 3);
        show(() -> n.next.next = n);
        show(() -> n.array[0] = n);
        show(() -> System.out.println(n.array[1]));
        show(() -> {
            synchronized (n.next) {
                n.value++;
            }
        });
        show(() -> n.next.array.clone());
        show(() -> root.value = 2);
        Object[] strings = new String[2];
        show(() -> strings[0] = 5);
        show(() -> strings[2] = "a");
        show(() -> System.out.println(strings[-1]));
        strings[1] = "b";
        System.out.println(strings[1] + " " + n.value + none);
    }

    static void initialiser() {
        show(() -> Failing.x = 1);
        show(() -> System.out.println(Failing.x));
    }

    static int depth;

    static void deep(Counter c) {
        depth++;
        c.add();
        deep(c);
    }

    static void recursion() throws Exception {
        Counter c = new Counter();
        for (int i = 0; i < 3; i++) {
            try {
                deep(c);
            } catch (StackOverflowError e) {
                System.out.println("overflow");
            }
        }
        // Hangs if a monitor was left locked.
        Thread other = new Thread(() -> {
            depth = 1;
            c.add();
        });
        other.start();
        other.join(20000);
        System.out.println(depth + " " + other.isAlive());
    }

    static void threads() throws Exception {
        Counter c = new Counter();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        Future<Integer> last = null;
        for (int i = 0; i < 100; i++) {
            last = pool.submit(c::add);
        }
        pool.shutdown();
        last.get();
        while (!pool.isTerminated()) {
            Thread.sleep(1);
        }
        System.out.println(c.n + " " + Counter.fromStatic(1));
        show(() -> Counter.fromStatic(-1));
    }

    static void waits() throws Exception {
        Counter c = new Counter();
        Thread waiter = new Thread(() -> show(() -> {
            c.await();
            System.out.println("woken");
        }));
        waiter.start();
        Thread.sleep(20);
        c.finish();
        waiter.join();
        Counter never = new Counter();
        Thread interrupted = new Thread(() -> show(never::await));
        interrupted.start();
        interrupted.interrupt();
        interrupted.join();
        System.out.println(never.add());
        show(() -> never.wait(5));
        show(() -> never.wait(5, 6));
        synchronized (never) {
            never.wait(1);
            never.wait(1, 1);
        }
    }

    static void permits() throws Exception {
        Counter c = new Counter();
        LockSupport.unpark(Thread.currentThread());
        Thread.currentThread().interrupt();
        for (int i = 0; i < 20000; i++) {
            c.add();
        }
        LockSupport.park();
        System.out.println(Thread.interrupted());
    }

    static void shortThreads() throws Exception {
        Counter c = new Counter();
        for (int i = 0; i < 1000; i++) {
            Thread t = new Thread(c::add);
            t.start();
            if (i % 2 == 0) {
                t.join();
            }
        }
        while (c.add() < 1001) {
            Thread.sleep(1);
            c.n--;
        }
        System.out.println("short");
    }

    static void blocks() throws Exception {
        CountDownLatch in = new CountDownLatch(1);
        Counter held = new Counter();
        Thread stuck = new Thread(() -> {
            synchronized (held) {
                in.countDown();
                LockSupport.park();
            }
        });
        stuck.setDaemon(true);
        stuck.start();
        in.await();
        Thread blocked = new Thread(held::add);
        blocked.setDaemon(true);
        blocked.start();
        Thread killed = new Thread(() -> {
            held.n = 7;
            throw new IllegalStateException("killed");
        });
        killed.setUncaughtExceptionHandler((t, e) -> System.out.println(e.getMessage()));
        killed.start();
        killed.join();
        inside();
    }

    static void inside() {
        root = new Node(4);
        System.out.println(root.value);
        System.exit(3);
    }
}
