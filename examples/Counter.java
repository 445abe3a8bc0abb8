import java.util.concurrent.Semaphore;

/** Two threads change a counter that nothing guards, in an order that makes one of the changes a lost one. */
public class Counter {
    static final Semaphore read = new Semaphore(0), written = new Semaphore(0);
    static int count;

    static void increment() {
        int seen = count;
        read.release();
        written.acquireUninterruptibly(); // meanwhile the other thread resets the count
        count = seen + 1;
    }

    static void reset() {
        read.acquireUninterruptibly();
        count = 0;
        written.release();
    }

    public static void main(String[] args) {
        new Thread(Counter::reset, "resetter").start();
        increment();
    }
}
