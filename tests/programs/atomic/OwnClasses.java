package atomic;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What locks, semaphores, executors, tasks and maps order that are classes of the program, and what has the names of their methods and is none.
 */
public class OwnClasses {
    static class Segment extends ReentrantLock {
        private static final long serialVersionUID = 1;
        private int count;

        void count() {
            lock();
            try {
                count++;
            } finally {
                unlock();
            }
        }
    }

    static class Pair extends ReentrantReadWriteLock {
        private static final long serialVersionUID = 1;
    }

    static class Turn extends Semaphore {
        private static final long serialVersionUID = 1;

        Turn() {
            super(1);
        }
    }

    static class Pool extends ThreadPoolExecutor {
        private int ended;

        Pool() {
            super(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected synchronized void afterExecute(Runnable task, Throwable thrown) {
            ended++;
        }
    }

    static class Sum extends FutureTask<Integer> {
        Sum(int[] of) {
            super(() -> of[0] + of[1]);
        }
    }

    static class Range extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        private final int from;
        private final int to;
        private int sum;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            for (int i = from; i < to; i++) {
                sum += i;
            }
            return sum;
        }
    }

    static class Registry extends ConcurrentHashMap<String, Integer> {
        private static final long serialVersionUID = 1;
    }

    /** Not a lock: two calls have no effect. */
    static class Note {
        private final String text;

        Note(String text) {
            this.text = text;
        }

        void lock() {
            // Nothing is locked.
        }

        String get() {
            return text;
        }
    }

    private final Segment segment = new Segment();
    private final Pair pair = new Pair();
    private final Turn turn = new Turn();
    private final Registry registry = new Registry();
    private final Note note = new Note("n");
    private int guarded;
    private int taken;

    void guarded() {
        pair.writeLock().lock();
        guarded++;
        pair.writeLock().unlock();
    }

    void taken() {
        turn.acquireUninterruptibly();
        taken++;
        turn.release();
    }

    int noted() {
        note.lock();
        note.lock();
        return registry.merge(note.get(), 1, Integer::sum);
    }

    private void all() {
        segment.count();
        guarded();
        taken();
        noted();
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        OwnClasses p = new OwnClasses();
        Pool pool = new Pool();
        int[] numbers = {1, 2};
        Sum sum = new Sum(numbers);
        pool.execute(sum);
        pool.submit(p::all).get();
        p.all();
        numbers[0] += sum.get();
        Range[] ranges = {new Range(0, 4), new Range(4, 8)};
        for (Range range : ranges) {
            ForkJoinPool.commonPool().execute(range);
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(numbers[0] + " " + pool.ended + " " + (ranges[0].join() + ranges[1].join() + ranges[0].sum));
        System.out.println(p.segment.count + " " + p.guarded + " " + p.taken + " " + p.registry);
    }
}
