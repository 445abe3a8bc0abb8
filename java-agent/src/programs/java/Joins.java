import dev.regiontrack.check.Balance;

/**
 * Joins threads long after they have ended, when others can have their numbers: each join names the thread that ended,
 * or none.
 */
public class Joins {
    private int n;
    private int last;

    synchronized int add() {
        return ++n;
    }

    public static void main(String[] args) throws Exception {
        Joins counter = new Joins();
        Thread[] threads = new Thread[300];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                counter.add();
                counter.last = 1;
            });
            threads[i].start();
            if (i % 3 == 0) {
                // Dead, and depended on, but not joined.
                while (threads[i].isAlive()) {
                    Thread.sleep(1);
                }
                // Other threads are still adding.
                int seen = counter.last;
                synchronized (counter) {
                    counter.n += seen;
                }
            }
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(counter.n + " " + (Boolean.getBoolean("regiontrack.test.keep") ? Balance.check() : "balanced"));
    }
}
