package provoked;

/** Two threads that go on until the program is terminated. */
public final class Ends {
    private volatile int count;

    // block provoked.Ends.increment()
    void increment() {
        int now = count; // first provoked.Ends.increment read count
        count = now + 1; // last other provoked.Ends.increment write count
    }

    private void run() {
        for (int i = 0;; i++) {
            increment();
            if (i == 10) {
                System.out.println("running");
            }
        }
    }

    public static void main(String[] args) {
        Ends ends = new Ends();
        new Thread(ends::run).start();
        ends.run();
    }
}
