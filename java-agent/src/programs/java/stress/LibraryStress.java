package stress;

import dev.regiontrack.check.Operation;
import dev.regiontrack.check.OperationCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Four racing threads call the library on a few objects, one operation a block, and log what each has seen and written. Then it is checked that what is
 * recorded has not invented an order. Arguments: the number of operations of a thread, a seed, and {@code virtual} if the threads are to be virtual ones.
 */
public final class LibraryStress {
    private static final int THREADS = 4;
    /** After so many operations all threads meet. */
    private static final int ROUND = 1024;
    /** Of so many operations one is a task for another thread. */
    private static final int TASKS = 256;

    private LibraryStress() {
    }

    /** A thread of the executor, with its log. */
    static final class Worker extends Thread {
        final long[] log;

        Worker(Runnable task, long[] log, String name) {
            super(task, name);
            this.log = log;
        }
    }

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args.length > 2;
        if (isVirtual && !hasVirtual()) {
            System.out.println("no virtual threads");
            return;
        }
        int n = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        Library library = new Library(THREADS, n);
        States states = new States(THREADS, n);
        Map<String, long[]> logs = new TreeMap<>();
        List<Thread> workers = new ArrayList<>();
        int tasks = THREADS * (n / TASKS + 1);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(2, 2, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>(), task -> {
            Worker worker = new Worker(task, Operation.log(tasks), "worker-" + workers.size());
            workers.add(worker);
            logs.put(worker.getName(), worker.log);
            return worker;
        });
        pool.prestartAllCoreThreads();
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            long[] log = Operation.log(n);
            logs.put("thread-" + me, log);
            threads[t] = thread("thread-" + me, isVirtual, () -> {
                try {
                    WORK.run(library, states, pool, log, n, me, seed);
                } catch (Exception e) {
                    e.printStackTrace();
                    System.exit(3);
                }
            });
        }
        for (Thread t : threads) {
            t.start();
        }
        for (Thread t : threads) {
            t.join();
        }
        pool.shutdown();
        for (Thread worker : workers) {
            worker.join();
        }
        System.exit(OperationCheck.check(logs, Library.KINDS) ? 0 : 1);
    }

    private static boolean hasVirtual() {
        try {
            Thread.class.getMethod("ofVirtual");
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static Thread thread(String name, boolean isVirtual, Runnable task) throws ReflectiveOperationException {
        if (!isVirtual) {
            return new Thread(task, name);
        }
        Class<?> builder = Class.forName("java.lang.Thread$Builder");
        Object named = builder.getMethod("name", String.class).invoke(Thread.class.getMethod("ofVirtual").invoke(null), name);
        return (Thread) builder.getMethod("unstarted", Runnable.class).invoke(named, task);
    }

    /** What a thread does. Implemented by a lambda, whose body is no block. */
    interface Work {
        void run(Library library, States states, ThreadPoolExecutor pool, long[] log, int n, int me, long seed) throws Exception;
    }

    private static final Work WORK = (library, states, pool, log, n, me, seed) -> {
        Library.Item[] own = new Library.Item[2];
        long rnd = 88172645463325252L * (me + 3 + 16 * seed);
        for (int i = 0; i < n; i++) {
            rnd ^= rnd << 13;
            rnd ^= rnd >>> 7;
            rnd ^= rnd << 17;
            one(library, states, pool, log, own, i, me, rnd);
        }
    };

    /** An atomic block with one operation. */
    private static void one(Library library, States states, ThreadPoolExecutor pool, long[] log, Library.Item[] own, int i, int me, long rnd) throws Exception {
        long fresh = (long) (me + 1) << 40 | i;
        int which = (int) (rnd >>> 8) & 63;
        int key = (int) (rnd >>> 16) & 15;
        Operation.begins(log);
        if (i % ROUND == ROUND - 1) {
            library.meet(log, i / ROUND / 2 + 1, i / ROUND % 2 == 0);
        } else if (i % TASKS == 0) {
            pool.execute(() -> run(((Worker) Thread.currentThread()).log, fresh));
            Library.gave(log, fresh);
        } else {
            switch ((int) (rnd >>> 40) & 15) {
                case 0: case 1: case 2: library.onMap(log, which, key, fresh); break;
                case 3: library.onCollection(log, which, fresh); break;
                case 4: case 5: case 6: library.onAtomic(log, which, key, fresh); break;
                case 7: case 8: library.onField(log, which, key); break;
                case 9: case 10: case 11: library.onQueue(log, which, key, own, fresh); break;
                case 12: library.onResult(log, which, i / 8 + (which & 1), me); break;
                case 13: states.one(log, which, key, me); break;
                case 14: library.onSemaphore(log, which); break;
                default: library.onLock(log, which);
            }
        }
        Operation.ends(log);
    }

    private static void run(long[] log, long number) {
        Operation.begins(log);
        Library.ran(log, number);
        Operation.ends(log);
    }
}
