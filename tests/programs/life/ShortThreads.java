package life;

/**
 * Three thousand threads that each do a little and end.
 */
public class ShortThreads {
    private static int total;

    static synchronized void add(int n) {
        total += n;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] last = new Thread[8];
        for (int i = 0; i < 3000; i++) {
            int slot = i % last.length;
            if (last[slot] != null) {
                last[slot].join();
            }
            last[slot] = new Thread(() -> add(1));
            last[slot].start();
        }
        for (Thread thread : last) {
            thread.join();
        }
        System.out.println("total " + total);
    }
}
