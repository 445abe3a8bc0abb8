/** Two threads change a counter that nothing guards, in an order that makes one of the changes a lost one. */
public class Counter {
    static int count;

    static void increment() {
        int seen = count;
        System.setProperty("read", "yes");
        while (System.getProperty("written") == null) {
            Thread.onSpinWait(); // meanwhile the other thread resets the count
        }
        count = seen + 1;
    }

    static void reset() {
        while (System.getProperty("read") == null) {
            Thread.onSpinWait();
        }
        count = 0;
        System.setProperty("written", "yes");
    }

    public static void main(String[] args) {
        new Thread(Counter::reset, "resetter").start();
        increment();
    }
}
