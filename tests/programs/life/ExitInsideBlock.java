package life;

/**
 * Ends the program in the middle of blocks, from a thread that is not the first, with a shutdown hook that has work to do.
 */
public class ExitInsideBlock {
    private int value;

    void outer() {
        value = 1;
        inner();
        value = 3;
    }

    void inner() {
        value = 2;
        System.exit(5);
    }

    public static void main(String[] args) throws InterruptedException {
        ExitInsideBlock work = new ExitInsideBlock();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook sees " + work.value)));
        Thread thread = new Thread(work::outer, "worker");
        thread.start();
        thread.join();
        System.out.println("not reached");
    }
}
