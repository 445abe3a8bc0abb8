import java.util.concurrent.Phaser;

/** Two threads change a counter that nothing guards, in an order that makes one of the changes a lost one. */
public class Counter {
    static final Phaser read = new Phaser(1), written = new Phaser(1);
    static int count;

    static void increment() {
        int seen = count;
        read.arrive();
        written.awaitAdvance(0); // meanwhile the other thread resets the count
        count = seen + 1;
    }

    static void reset() {
        read.awaitAdvance(0);
        count = 0;
        written.arrive();
    }

    public static void main(String[] args) {
        new Thread(Counter::reset, "resetter").start();
        increment();
    }
}
