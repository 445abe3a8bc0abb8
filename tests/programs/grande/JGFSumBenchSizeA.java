/** A benchmark as Java Grande's suite has them: threads add up numbers, and the sum is validated. The second size has more numbers. */
public class JGFSumBenchSizeA {
    private long sum;

    private synchronized void add(long part) {
        sum += part;
    }

    /** The sum of the numbers below {@code n}, by so many threads. */
    long sum(int threads, int n) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int me = t;
            all[t] = new Thread(() -> {
                long part = 0;
                for (int i = me; i < n; i += threads) {
                    part += i;
                }
                add(part);
            });
            all[t].start();
        }
        for (Thread t : all) {
            t.join();
        }
        return sum;
    }

    static void run(String[] arguments, String size, int n) throws InterruptedException {
        long start = System.nanoTime();
        long sum = new JGFSumBenchSizeA().sum(Integer.parseInt(arguments[0]), n);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (sum != (long) n * (n - 1) / 2) {
            System.out.println("Validation failed");
        }
        System.out.println("Section2:Sum:Kernel:Size" + size + "\t" + seconds + " (s) \t " + n / seconds + "\t (Additions/s)");
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(arguments, "A", 1000);
    }
}
