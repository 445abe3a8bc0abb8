package life;

/**
 * Threads that read under one lock, all at once, and write nothing.
 */
public class ReadersOfOneLock {
    private static final int THREADS = 4;
    private static final int TIMES = 5000;

    private final int number = 1;

    synchronized int number() {
        return number;
    }

    public static void main(String[] args) throws InterruptedException {
        ReadersOfOneLock shared = new ReadersOfOneLock();
        int[] sums = new int[THREADS];
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int mine = i;
            threads[i] = new Thread(() -> {
                int sum = 0;
                for (int n = 0; n < TIMES; n++) {
                    sum += shared.number();
                }
                sums[mine] = sum;
            });
            threads[i].start();
        }
        int total = 0;
        for (int i = 0; i < THREADS; i++) {
            threads[i].join();
            total += sums[i];
        }
        System.out.println("total " + total);
    }
}
