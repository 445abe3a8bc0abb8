package subjects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A crawler of archives, after von Praun and Gross's hedc: each of {@code size} requests makes a task for every archive, a pool of threads works on them, and the
 * one who asks waits for the results. Every second request gives up its last task: as in the original, it looks who works on the task, and tells that thread to
 * stop, without a lock. Archives are generated pages. Checked: the sum of all results.
 */
final class Crawler implements Workload {
    private static final int ARCHIVES = 5;
    private static final int LINES = 40;

    /** A search in one archive. */
    private static final class Task {
        private final int request;
        private final int archive;
        private final Answer answer;
        private Thread worker;
        private boolean isStopped;

        Task(int request, int archive, Answer answer) {
            this.request = request;
            this.archive = archive;
            this.answer = answer;
        }

        void search() {
            worker = Thread.currentThread();
            long found = 0;
            for (String line : page(request, archive).split("\n")) {
                if (line.contains("star")) {
                    found += line.length();
                }
            }
            worker = null;
            answer.add(found);
        }

        /** Nobody needs the result any more; it counts all the same if it is there. */
        void cancel() {
            if (worker != null) {
                isStopped = true;
            }
        }
    }

    /** The results of a request. */
    private static final class Answer {
        private int left = ARCHIVES;
        private long sum;

        synchronized void add(long found) {
            sum += found;
            if (--left == 0) {
                notifyAll();
            }
        }

        synchronized long await() throws InterruptedException {
            while (left > 0) {
                wait();
            }
            return sum;
        }
    }

    /** Tasks that wait for a thread; null is the end. */
    private static final class Queue {
        private final Deque<Task> tasks = new ArrayDeque<>();
        private boolean isClosed;

        synchronized void put(Task task) {
            tasks.add(task);
            notifyAll();
        }

        synchronized void close() {
            isClosed = true;
            notifyAll();
        }

        synchronized Task take() throws InterruptedException {
            while (tasks.isEmpty() && !isClosed) {
                wait();
            }
            return tasks.poll();
        }
    }

    @Override
    public String run(int threads, int size) throws Exception {
        Queue queue = new Queue();
        long[] sum = new long[1];
        Team.round("crawler", threads + 1, number -> {
            if (number < threads) {
                for (Task task = queue.take(); task != null; task = queue.take()) {
                    task.search();
                }
                return;
            }
            for (int request = 0; request < size; request++) {
                sum[0] += ask(queue, request);
            }
            queue.close();
        });
        long expected = 0;
        for (int request = 0; request < size; request++) {
            for (int archive = 0; archive < ARCHIVES; archive++) {
                Answer answer = new Answer();
                new Task(request, archive, answer).search();
                expected += answer.sum;
            }
        }
        WrongResult.unless(expected, sum[0], "letters in the lines that were found");
        return sum[0] + " letters in the lines that were found";
    }

    private static long ask(Queue queue, int request) throws InterruptedException {
        Answer answer = new Answer();
        List<Task> tasks = new ArrayList<>();
        for (int archive = 0; archive < ARCHIVES; archive++) {
            tasks.add(new Task(request, archive, answer));
        }
        tasks.forEach(queue::put);
        if (request % 2 == 1) {
            tasks.get(ARCHIVES - 1).cancel();
        }
        return answer.await();
    }

    private static String page(int request, int archive) {
        StringBuilder page = new StringBuilder();
        for (int line = 0; line < LINES; line++) {
            page.append(line * (request + archive + 1) % 3 == 0 ? "star " : "galaxy ").append(line * 31 + request).append('\n');
        }
        return page.toString();
    }
}
