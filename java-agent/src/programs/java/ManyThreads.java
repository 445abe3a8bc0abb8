import dev.regiontrack.check.Balance;

/** Joins dead threads, as many as the argument says, repeatedly while others are started: each join that returns must be recorded. */
public class ManyThreads {
    /** Makes one event, without which the thread's number would be free immediately. */
    int n;

    private static Thread[] started(int n) {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            threads[i] = new Thread(() -> new ManyThreads().n = 1);
            threads[i].start();
        }
        return threads;
    }

    private static long join(Thread[] threads) throws InterruptedException {
        for (Thread t : threads) {
            t.join();
        }
        return threads.length;
    }

    public static void main(String[] args) throws Exception {
        int atOnce = Integer.parseInt(args[0]);
        Thread[] first = started(atOnce);
        for (Thread t : first) {
            while (t.isAlive()) {
                Thread.yield();
            }
        }
        Thread[][] second = new Thread[2][];
        Thread starter = new Thread(() -> {
            second[0] = started(atOnce);
            second[1] = started(atOnce);
        });
        starter.start();
        long joins = join(first);
        while (starter.isAlive()) {
            joins += join(first);
        }
        starter.join();
        joins += 1 + join(second[0]) + join(second[1]);
        boolean isKept = Boolean.getBoolean("regiontrack.test.keep");
        System.out.println(isKept && Balance.joins() != joins ? joins + " joins, " + Balance.joins() + " recorded" : "all joined");
    }
}
