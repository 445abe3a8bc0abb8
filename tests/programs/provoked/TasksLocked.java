package provoked;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Like {@link Tasks}, with both sections in one. */
public final class TasksLocked {
    private int free = 3;

    private synchronized boolean isFree() {
        return free > 0;
    }

    private synchronized void take() {
        free--;
    }

    synchronized boolean book() {
        if (isFree()) {
            Places.work();
            take();
            return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        TasksLocked tasks = new TasksLocked();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(pool.submit(tasks::book));
        }
        for (Future<Boolean> one : all) {
            one.get();
        }
        pool.shutdown();
        System.out.println("done");
    }
}
