package scoped;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import schedule.Flag;

/**
 * Prints which scope gets the violation of a method that runs in another thread, in each way in which work is handed on. All threads of pools are started before there
 * is a scope, so only the task says for whom it works.
 */
public final class Handed {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(1);
    private static final ScheduledExecutorService SCHEDULED = Executors.newScheduledThreadPool(1);
    private static final ForkJoinPool FORKS = new ForkJoinPool(2);
    private static final Timer TIMER = new Timer(true);

    /** A counter without synchronization, and another thread, which works for no scope, that writes it in between. */
    private static final class Box {
        private final Flag hasRead = new Flag();
        private final Flag hasWritten = new Flag();
        private final Flag isDone = new Flag();
        private int count;

        void increment() {
            int seen = count;
            hasRead.set();
            hasWritten.await();
            count = seen + 1;
        }

        void add(int n) {
            count += n;
        }

        void work() {
            increment();
            isDone.set();
        }
    }

    private static final class Forked extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final transient Runnable task;

        Forked(Runnable task) {
            this.task = task;
        }

        @Override
        protected void compute() {
            task.run();
        }
    }

    private Handed() {
    }

    private static Map<String, Consumer<Runnable>> ways() {
        Map<String, Consumer<Runnable>> ways = new LinkedHashMap<>();
        ways.put("here", Runnable::run);
        ways.put("thread", task -> new Thread(task).start());
        ways.put("thread of a thread", task -> new Thread(() -> new Thread(task).start()).start());
        ways.put("execute", POOL::execute);
        ways.put("execute one task many times", task -> {
            Flag haveAll = new Flag();
            AtomicInteger left = new AtomicInteger(40);
            Runnable last = () -> {
                if (left.decrementAndGet() == 0) {
                    task.run();
                }
            };
            POOL.execute(haveAll::await);
            for (int i = 0; i < 40; i++) {
                POOL.execute(last);
            }
            haveAll.set();
        });
        ways.put("submit", POOL::submit);
        ways.put("task of a task", task -> POOL.execute(() -> SCHEDULED.execute(task)));
        ways.put("schedule", task -> SCHEDULED.schedule(task, 1, TimeUnit.MILLISECONDS));
        ways.put("timer", task -> TIMER.schedule(new TimerTask() {
            @Override
            public void run() {
                task.run();
            }
        }, 1));
        ways.put("runAsync", task -> CompletableFuture.runAsync(task, POOL));
        ways.put("thenRun", task -> {
            CompletableFuture<String> future = new CompletableFuture<>();
            future.thenRun(task);
            int scope = Scopes.enter(0);
            POOL.execute(() -> future.complete(""));
            Scopes.enter(scope);
        });
        ways.put("thenRunAsync", task -> CompletableFuture.completedFuture("").thenRunAsync(task, POOL));
        ways.put("fork-join pool", FORKS::execute);
        ways.put("after another task", task -> FORKS.execute(() -> {
            int scope = Scopes.enter(0);
            new Forked(() -> { }).fork();
            Scopes.enter(scope);
            ForkJoinTask.helpQuiesce();
            task.run();
        }));
        ways.put("fork", task -> FORKS.execute(() -> new Forked(task).fork()));
        return ways;
    }

    private static Box box() {
        Box box = new Box();
        new Thread(() -> {
            box.hasRead.await();
            box.add(5);
            box.hasWritten.set();
        }).start();
        return box;
    }

    private static String end(int scope) {
        String[][] told = Scopes.end(scope);
        StringBuilder text = new StringBuilder(told[0][0]);
        for (String[] finding : Arrays.copyOfRange(told, 1, told.length)) {
            text.append(' ').append(finding[0]).append(' ').append(finding[1]);
        }
        return text.toString().trim();
    }

    public static void main(String[] args) throws Exception {
        // All threads are there, and all lambdas are made.
        for (Consumer<Runnable> way : ways().values()) {
            Flag ran = new Flag();
            way.accept(ran::set);
            ran.await();
        }
        int outer = Scopes.begin(0);
        for (Map.Entry<String, Consumer<Runnable>> way : ways().entrySet()) {
            Box box = box();
            int scope = Scopes.begin(outer);
            Scopes.enter(scope);
            way.getValue().accept(box::work);
            box.isDone.await();
            Scopes.enter(0);
            Box nobodys = box();
            way.getValue().accept(nobodys::work);
            nobodys.isDone.await();
            System.out.println(way.getKey() + ": " + end(scope));
        }
        Box late = box();
        int scope = Scopes.begin(outer);
        Scopes.enter(scope);
        Flag hasEnded = new Flag();
        new Thread(() -> {
            hasEnded.await();
            late.work();
        }).start();
        Scopes.enter(0);
        System.out.println("before the end: " + end(scope));
        hasEnded.set();
        late.isDone.await();
        System.out.println("after it: " + end(outer));
        POOL.shutdown();
        SCHEDULED.shutdown();
        FORKS.shutdown();
    }
}
