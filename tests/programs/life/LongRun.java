package life;

/**
 * Prints that it is running, and runs until it is killed.
 */
public class LongRun {
    private volatile long turns;

    void turn() {
        turns++;
    }

    public static void main(String[] args) {
        LongRun work = new LongRun();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("told to end")));
        System.out.println("running");
        System.out.flush();
        for (;;) {
            work.turn();
        }
    }
}
