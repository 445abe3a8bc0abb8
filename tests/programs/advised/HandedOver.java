package advised;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;

/**
 * Methods that give something to another thread and get what that makes of it: a lock around both would make each wait for the other. With the argument {@code
 * fixed} they do what the advice says. Only methods called {@code once..} have to be atomic.
 */
public class HandedOver {
    private final boolean isFixed;
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private final Timer timer = new Timer(true);
    private final CountDownLatch start = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Semaphore ready = new Semaphore(0);
    private final Semaphore done = new Semaphore(0);
    private final BlockingQueue<String> requests = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<String> replies = new ArrayBlockingQueue<>(1);
    private final CompletableFuture<String> request = new CompletableFuture<>();
    private final CompletableFuture<String> reply = new CompletableFuture<>();

    HandedOver(boolean isFixed) {
        this.isFixed = isFixed;
    }

    // finding: advised.HandedOver.onceSubmitted() interference
    // access: advised.HandedOver.onceSubmitted() read of the result of Future by get
    // advice: advised.HandedOver.onceSubmitted() no lock can help, because the result that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceSubmitted() call what the task does in its place, or return the future and get the result outside of the method
    String onceSubmitted() throws Exception {
        return isFixed ? task() : pool.submit(this::task).get();
    }

    private String task() {
        return "task";
    }

    // finding: advised.HandedOver.onceLatched() interference
    // access: advised.HandedOver.onceLatched() write of the count of CountDownLatch (field HandedOver.start) by countDown
    // access: advised.HandedOver.onceLatched() read of the count of CountDownLatch (field HandedOver.end) by await
    // advice: advised.HandedOver.onceLatched() no lock can help, because the opening of the latch that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceLatched() await the latch outside of the method
    void onceLatched() throws InterruptedException {
        start.countDown();
        if (!isFixed) {
            end.await();
        }
    }

    // finding: advised.HandedOver.onceSignalled() interference
    // access: advised.HandedOver.onceSignalled() write of permits of Semaphore (field HandedOver.ready) by release
    // access: advised.HandedOver.onceSignalled() read of permits of Semaphore (field HandedOver.done) by acquire
    // advice: advised.HandedOver.onceSignalled() no lock can help, because a permit that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceSignalled() acquire it outside of the method
    void onceSignalled() throws InterruptedException {
        ready.release();
        if (!isFixed) {
            done.acquire();
        }
    }

    // finding: advised.HandedOver.onceAsked() interference
    // access: advised.HandedOver.onceAsked() write of ArrayBlockingQueue (field HandedOver.requests) by put
    // access: advised.HandedOver.onceAsked() read of ArrayBlockingQueue (field HandedOver.replies) by take
    // advice: advised.HandedOver.onceAsked() no lock can help, because the element that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceAsked() take it outside of the method
    String onceAsked() throws InterruptedException {
        requests.put("request");
        return isFixed ? "" : replies.take();
    }

    // finding: advised.HandedOver.onceCompleted() interference
    // access: advised.HandedOver.onceCompleted() write of the result of CompletableFuture (field HandedOver.request) by complete
    // access: advised.HandedOver.onceCompleted() read of the result of CompletableFuture (field HandedOver.reply) by join
    // advice: advised.HandedOver.onceCompleted() no lock can help, because the result that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceCompleted() return the future, and get the result outside of the method
    Future<String> onceCompleted() {
        request.complete("request");
        if (!isFixed) {
            reply.join();
        }
        return reply;
    }

    // finding: advised.HandedOver.onceTimed() interference
    // access: advised.HandedOver.onceTimed() write of a task of Timer (field HandedOver.timer) by schedule
    // advice: advised.HandedOver.onceTimed() no lock can help, because the result that it gets at HandedOver.java:
    // advice: advised.HandedOver.onceTimed() or return the future and get the result outside of the method
    Future<String> onceTimed() throws Exception {
        FutureTask<String> future = new FutureTask<>(this::task);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                future.run();
            }
        }, 1);
        if (!isFixed) {
            future.get();
        }
        return future;
    }

    private void other() {
        try {
            start.await();
            end.countDown();
            ready.acquire();
            done.release();
            replies.put("reply to " + requests.take());
            reply.complete("reply to " + request.join());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HandedOver p = new HandedOver(args.length > 0);
        // Its thread is there before the method is.
        p.pool.submit(() -> { }).get();
        Thread other = new Thread(p::other, "other");
        other.start();
        p.onceSubmitted();
        p.onceLatched();
        p.end.await();
        p.onceSignalled();
        if (p.isFixed) {
            p.done.acquire();
        }
        p.onceAsked();
        if (p.isFixed) {
            p.replies.take();
        }
        p.onceCompleted().get();
        p.onceTimed().get();
        other.join();
        p.pool.shutdown();
        System.out.println("done");
    }
}
