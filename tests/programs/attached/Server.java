package attached;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Steps;

/**
 * A server with pools that run, threads that wait and threads that hold locks, to which the agent is attached while it waits for a line. Each line of standard input is
 * something to do, which it then reports.
 */
public class Server {
    private final Account early = new Account();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, daemons());
    private final ExecutorService pool = Executors.newFixedThreadPool(2, daemons());
    private final ExecutorService single = Executors.newSingleThreadExecutor(daemons());
    private final AtomicLong ticks = new AtomicLong();
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore permits = new Semaphore(1);
    private int guarded;
    private final Runnable queued = this::queued;
    private int runs;
    private volatile int seen;

    /** A task that breaks ends its worker, for which there is another one then. */
    private static ThreadFactory daemons() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, e) -> { });
            return thread;
        };
    }

    /** What is there before the agent: tasks in a queue, a worker in the middle of one, a monitor and a lock that are held, a permit that is out. */
    void open() throws InterruptedException {
        clock.scheduleAtFixedRate(ticks::incrementAndGet, 1, 1, TimeUnit.MILLISECONDS);
        single.execute(() -> {
            Steps.await(1);
            throw new IllegalStateException("broken");
        });
        single.execute(queued);
        permits.acquire();
        CountDownLatch isHeld = new CountDownLatch(1);
        Thread holder = new Thread(() -> hold(isHeld), "holder");
        holder.setDaemon(true);
        holder.start();
        isHeld.await();
        early.deposit(1);
        pool.submit(() -> early.deposit(1));
    }

    /** Holds both from before the agent until it is told to leave. */
    private void hold(CountDownLatch isHeld) {
        synchronized (monitor) {
            lock.lock();
            try {
                inside();
                isHeld.countDown();
                Steps.await(20);
                inside();
            } finally {
                lock.unlock();
            }
        }
        Steps.done(21);
    }

    /** Takes both again. */
    private void inside() {
        synchronized (monitor) {
            lock.lock();
            try {
                guarded++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** A task that was given before the agent, and is given once more after. The second time it waits. */
    private void queued() {
        if (runs++ == 1) {
            Steps.await(3);
        }
        seen = runs;
        Steps.done(2);
    }

    /** Gives a task of which the queue has another one from before: that one runs while this method does. Nobody has ordered it after this method's begin. */
    int backlog() {
        single.execute(queued);
        Steps.done(1);
        Steps.await(2);
        return seen;
    }

    String serve(String line) throws Exception {
        switch (line) {
            case "early":
                Steps.run(() -> early.twice(4, 5), () -> early.between(4, 5));
                return "early " + early.balance();
            case "late":
                return "late " + Late.run();
            case "pools": {
                long before = ticks.get();
                Future<Integer> sum = pool.submit(() -> early.deposit(1));
                int result = sum.get();
                while (ticks.get() < before + 3) {
                    Thread.onSpinWait();
                }
                return "pools " + (result > 0);
            }
            case "locks":
                Steps.done(20);
                Steps.await(21);
                permits.release();
                permits.acquire();
                inside();
                synchronized (monitor) {
                    return "locks " + guarded;
                }
            case "backlog": {
                int now = backlog();
                Steps.done(3);
                return "backlog " + now;
            }
            default:
                return "what is " + line + '?';
        }
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        server.open();
        System.out.println("open");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(server.serve(line));
            }
        } catch (IOException e) {
            System.out.println("standard input: " + e);
        }
        System.out.println("closed");
    }
}
