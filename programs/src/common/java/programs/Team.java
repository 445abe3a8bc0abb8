package programs;

import java.util.ArrayList;
import java.util.List;

/** Threads that do the same work at the same time. */
final class Team {
    /** The work of one thread. Its result must depend only on the thread's number, not on the schedule. */
    interface Work {
        Object run(int number) throws Exception;
    }

    private Team() {
    }

    /** Runs the work in this many threads and prints their results in the order of their numbers. */
    static void print(int threads, Work work) throws Exception {
        int number = 0;
        for (Object result : run(threads, work)) {
            System.out.println("worker " + number++ + ": " + result);
        }
    }

    /** Runs the work in this many threads and returns their results in the order of their numbers. */
    static List<Object> run(int threads, Work work) throws Exception {
        Object[] results = new Object[threads];
        Throwable[] failures = new Throwable[threads];
        List<Thread> team = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    results[number] = work.run(number);
                } catch (Throwable failure) {
                    failures[number] = failure;
                }
            }, "worker-" + number);
            team.add(thread);
            thread.start();
        }
        for (Thread thread : team) {
            thread.join();
        }
        for (int i = 0; i < threads; i++) {
            if (failures[i] != null) {
                throw new IllegalStateException("worker " + i + " failed", failures[i]);
            }
        }
        return List.of(results);
    }
}
