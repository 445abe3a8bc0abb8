package provoked;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Tasks of an executor that book seats: each looks in one synchronized section whether there is one, and takes it in another one. */
public final class Tasks {
    private int free = 3;

    private synchronized boolean isFree() {
        return free > 0;
    }

    private synchronized void take() {
        free--;
    }

    // block provoked.Tasks.book()
    boolean book() {
        if (isFree()) {
            Places.work();
            take();
            return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        Tasks tasks = new Tasks();
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
