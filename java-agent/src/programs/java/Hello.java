/** The smallest program with a field, a thread and a lock. */
public class Hello {
    static int count;
    private long total;

    synchronized void add(int n) {
        total += n;
    }

    public static void main(String[] args) throws Exception {
        Hello hello = new Hello();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 1000; k++) {
                    count++;
                    hello.add(k);
                }
            });
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(hello.total);
    }
}
