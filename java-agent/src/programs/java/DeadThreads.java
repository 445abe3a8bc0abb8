/** {@code DeadThreads N}: starts threads that are never joined, and prints whether each leaves more than 500 bytes on the heap. */
public class DeadThreads {
    private static final int MOST = 500;
    int n;

    private static void run(int threads) {
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(() -> new DeadThreads().n = 1);
            t.start();
            while (t.isAlive()) {
                Thread.yield();
            }
        }
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        run(threads / 4);
        long before = used();
        run(threads);
        long each = (used() - before) / threads;
        System.out.println(each <= MOST ? "little" : each + " bytes a thread");
    }
}
