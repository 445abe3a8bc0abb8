package provoked;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** Threads of all kinds, which wait for each other in all ways, are held: each does what it would do otherwise. */
public final class Manners {
    private static final int ROUNDS = 20;
    private static final int THREADS = 4;

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private int count;
    private boolean isTurn;

    // block provoked.Manners.touch()
    int touch() {
        int now = count; // first provoked.Manners.touch read count
        Places.work();
        count = now + 1; // last other provoked.Manners.touch write count
        return now;
    }

    private static Thread started(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    private void joins() throws InterruptedException {
        Thread outer = started(() -> {
            Thread inner = started(this::touch);
            touch();
            try {
                inner.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        touch();
        outer.join();
        System.out.println("joins");
    }

    private void waits() throws InterruptedException {
        Thread other = started(() -> {
            synchronized (monitor) {
                touch();
                isTurn = true;
                monitor.notifyAll();
            }
        });
        synchronized (monitor) {
            while (!isTurn) {
                touch();
                monitor.wait();
            }
        }
        other.join();
        System.out.println("waits");
    }

    private void locks() throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(started(() -> {
                for (int n = 0; n < ROUNDS; n++) {
                    lock.lock();
                    try {
                        touch();
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
        System.out.println("locks");
    }

    private void tasks() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int n = i;
            results.add(pool.submit(() -> touch() < 0 ? -1 : n));
        }
        int sum = 0;
        for (Future<Integer> result : results) {
            touch();
            sum += result.get();
        }
        pool.shutdown();
        System.out.println("tasks " + sum + ' ' + pool.awaitTermination(1, TimeUnit.MINUTES));
        System.out.println("future " + CompletableFuture.supplyAsync(this::touch).thenApply(n -> touch() < n).join());
        System.out.println("stream " + IntStream.range(0, ROUNDS).parallel().map(n -> touch() < 0 ? 0 : n).sum());
    }

    private void barriers() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        CountDownLatch latch = new CountDownLatch(1);
        Thread other = started(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    touch();
                    barrier.await();
                }
                latch.countDown();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < ROUNDS; i++) {
            touch();
            barrier.await();
        }
        latch.await();
        other.join();
        System.out.println("barriers");
    }

    /** A permit that the thread has before it is held is there afterwards. */
    private void permits() throws InterruptedException {
        Thread other = started(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                LockSupport.unpark(Thread.currentThread());
                touch();
                LockSupport.park();
            }
        });
        touch();
        other.join();
        // One that is given while it is held is there, too: each is given once.
        AtomicInteger told = new AtomicInteger();
        Thread taker = started(() -> {
            for (int i = 1; i <= ROUNDS; i++) {
                while (told.get() < i) {
                    touch();
                    LockSupport.park();
                }
            }
        });
        for (int i = 1; i <= ROUNDS; i++) {
            touch();
            told.set(i);
            LockSupport.unpark(taker);
        }
        taker.join();
        System.out.println("permits");
    }

    /** An interruption while a thread is held, or not, is seen afterwards, and is asked for by the program alone. */
    private void interruptions() throws InterruptedException {
        Thread other = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                touch();
            }
            try {
                Thread.sleep(1);
                System.out.println("not interrupted");
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        }) {
            @Override
            public void interrupt() {
                System.out.println("interrupt");
                super.interrupt();
            }
        };
        other.start();
        touch();
        other.interrupt();
        other.join();
    }

    private void virtualThreads() throws Exception {
        try {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
                    for (int n = 0; n < ROUNDS; n++) {
                        touch();
                        synchronized (monitor) {
                            touch();
                        }
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
        } catch (NoSuchMethodException | InvocationTargetException e) {
            // An older JVM has none.
        }
        System.out.println("virtual threads");
    }

    public static void main(String[] args) throws Exception {
        Manners manners = new Manners();
        manners.joins();
        manners.waits();
        manners.locks();
        manners.tasks();
        manners.barriers();
        manners.permits();
        manners.interruptions();
        manners.virtualThreads();
        // A daemon that may be held when the JVM ends, which does not wait for it.
        Thread daemon = new Thread(() -> {
            for (;;) {
                manners.touch();
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        manners.touch();
        System.out.println("end");
        if (args.length > 0) {
            Runtime.getRuntime().halt(Integer.parseInt(args[0]));
        }
        System.exit(3);
    }
}
