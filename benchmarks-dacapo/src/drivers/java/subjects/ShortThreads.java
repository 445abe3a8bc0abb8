package subjects;

import java.util.concurrent.Semaphore;

/**
 * Threads that nobody joins: {@code size} of them one after the other, at most {@code threads} at a time, each with an access of its
 * own. Shows whether dead threads leave anything.
 */
final class ShortThreads implements Workload {
    private int started;

    @Override
    public String run(int threads, int size) throws Exception {
        started = 0;
        Semaphore room = new Semaphore(threads);
        for (int i = 0; i < size; i++) {
            room.acquire();
            new Thread(() -> {
                count();
                room.release();
            }).start();
        }
        room.acquire(threads);
        if (started != size) {
            throw new WrongResult(started + " threads were counted");
        }
        return "all threads were counted";
    }

    private synchronized void count() {
        started++;
    }
}
