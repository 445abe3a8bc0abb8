package life;

/**
 * Recursion until the stack overflows, with field accesses and monitors, repeatedly.
 */
public class DeepRecursion {
    private long visits;

    synchronized void deeper() {
        visits++;
        deeper();
    }

    public static void main(String[] args) throws InterruptedException {
        DeepRecursion work = new DeepRecursion();
        for (int i = 0; i < 5; i++) {
            Thread thread = new Thread(null, () -> {
                try {
                    work.deeper();
                } catch (StackOverflowError e) {
                    System.out.println("the stack ended");
                }
            }, "deep", 1 << 20);
            thread.start();
            thread.join();
        }
        // Every monitor was released while unwinding, so another thread gets in.
        Thread other = new Thread(() -> System.out.println(work.more()), "other");
        other.start();
        other.join();
    }

    synchronized String more() {
        return visits > 1000 ? "many visits" : "few visits: " + visits;
    }
}
