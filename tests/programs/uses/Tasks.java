package uses;

import static schedule.Threads.second;
import static schedule.Threads.third;

import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import schedule.Flag;

/**
 * Executors, timers, and tasks of fork-join pools.
 */
class Tasks {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(1, Tasks::daemon);
    private static final ScheduledExecutorService SCHEDULER = Executors.newScheduledThreadPool(1, Tasks::daemon);
    private static final ForkJoinPool FORKS = new ForkJoinPool(1);
    private static final Timer TIMER = new Timer(true);

    static {
        POOL.execute(() -> { });
        SCHEDULER.execute(() -> { });
    }

    private int value;
    private int reply;
    private final Flag done = new Flag();

    /** A task that computes nothing much. */
    private static final class Answer extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;

        @Override
        protected Integer compute() {
            return 42;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    int submitThenGetIsViolated() throws Exception {
        return POOL.submit(() -> 1).get();
    }

    int submitAloneIsAtomic() {
        POOL.submit(done::set);
        done.await();
        return value;
    }

    int executeThenReadWhatItWroteIsViolated() {
        POOL.execute(() -> {
            value = 1;
            done.set();
        });
        done.await();
        return value;
    }

    int writeThenExecuteThenWriteAfterItsReadIsViolated() {
        value = 1;
        POOL.execute(() -> {
            reply = value;
            done.set();
        });
        done.await();
        value = 2;
        return value;
    }

    int writeThenExecuteThenReadAfterItsReadIsAtomic() {
        value = 1;
        POOL.execute(() -> {
            reply = value;
            done.set();
        });
        done.await();
        return value;
    }

    int resultFromBeforeIsAtomic() throws Exception {
        value = 1;
        Future<?>[] future = new Future<?>[1];
        second(() -> {
            future[0] = POOL.submit(() -> 5);
            future[0].get();
        });
        return future[0].isDone() ? value : 0;
    }

    int resultOfTaskThatReadIsViolated() throws Exception {
        value = 1;
        Future<?>[] future = new Future<?>[1];
        second(() -> {
            int seen = value;
            future[0] = POOL.submit(() -> seen);
        });
        return (Integer) future[0].get();
    }

    int runByOtherAfterReadIsViolated() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 6);
        value = 1;
        second(() -> {
            if (value == 1) {
                task.run();
            }
        });
        return task.get();
    }

    int runByOtherWithoutReadIsAtomic() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 6);
        value = 1;
        second(() -> task.run());
        return task.get();
    }

    boolean askedBeforeItRanIsAtomic() {
        FutureTask<Integer> task = new FutureTask<>(() -> 6);
        value = 1;
        boolean isDone = task.isDone();
        second(() -> {
            if (value == 1) {
                task.run();
            }
        });
        return isDone;
    }

    boolean cancelledByOtherAfterReadIsViolated() {
        FutureTask<Integer> task = new FutureTask<>(() -> 6);
        value = 1;
        second(() -> task.cancel(value == 2));
        return task.isCancelled();
    }

    int invokeAllIsViolated() throws Exception {
        List<Callable<Integer>> tasks = List.of(() -> 3, () -> 4);
        return POOL.invokeAll(tasks).size();
    }

    int scheduleThenGetIsViolated() throws Exception {
        return SCHEDULER.schedule(() -> 5, 1, TimeUnit.MILLISECONDS).get();
    }

    int scheduleAloneIsAtomic() {
        SCHEDULER.schedule(done::set, 1, TimeUnit.MILLISECONDS);
        done.await();
        return value;
    }

    int timerThenReadWhatItWroteIsViolated() {
        TIMER.schedule(task(1), 1);
        done.await();
        return reply;
    }

    int timerThenReadSomethingElseIsAtomic() {
        TIMER.schedule(task(1), 1);
        done.await();
        return value;
    }

    private TimerTask task(int n) {
        return new TimerTask() {
            @Override
            public void run() {
                reply = n;
                done.set();
            }
        };
    }

    int invokeOfForkIsViolated() {
        return FORKS.invoke(new Answer());
    }

    int executeOfForkAloneIsAtomic() {
        FORKS.execute(done::set);
        done.await();
        return value;
    }

    int forkCompletedByOtherIsViolated() {
        ForkJoinTask<Integer> task = new Answer();
        value = 1;
        second(() -> task.complete(value));
        return task.join();
    }

    int forkCompletedByOtherWithoutReadIsAtomic() {
        ForkJoinTask<Integer> task = new Answer();
        value = 1;
        second(() -> task.complete(7));
        return task.join();
    }

    boolean terminationSeenIsViolated() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(done::set);
        done.await();
        pool.shutdown();
        return pool.awaitTermination(1, TimeUnit.HOURS);
    }

    boolean terminationNotSeenIsAtomic() throws InterruptedException {
        value = 1;
        second(() -> done.set());
        return POOL.awaitTermination(1, TimeUnit.NANOSECONDS) || value == 1;
    }

    int taskOfThirdThroughPoolIsViolated() throws Exception {
        value = 1;
        Future<?>[] future = new Future<?>[1];
        second(() -> {
            if (value == 1) {
                reply = 2;
            }
        });
        third(() -> {
            int seen = reply;
            future[0] = POOL.submit(() -> seen);
        });
        return (Integer) future[0].get();
    }

    int sequentialStreamIsAtomic() {
        second(() -> IntStream.range(0, 100).parallel().sum());
        return IntStream.range(0, 100).sum();
    }
}
