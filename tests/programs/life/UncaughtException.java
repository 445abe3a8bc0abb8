package life;

/**
 * A worker and then the first thread are killed by exceptions that leave several blocks and monitors.
 */
public class UncaughtException {
    private int depth;

    synchronized void fall(int left) {
        depth++;
        if (left == 0) {
            throw new IllegalStateException("at depth " + depth);
        }
        fall(left - 1);
    }

    public static void main(String[] args) throws InterruptedException {
        UncaughtException work = new UncaughtException();
        Thread worker = new Thread(() -> work.fall(3), "worker");
        worker.setUncaughtExceptionHandler((thread, e) -> System.out.println(thread.getName() + ": " + e.getMessage()));
        worker.start();
        worker.join();
        work.fall(2);
    }
}
