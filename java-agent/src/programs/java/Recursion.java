/** Recursion that fits the JVM's own stack size without an agent, on the main thread or on a started one. */
public class Recursion {
    private static final int DEPTH = 6_000;
    private int n;
    private Object last;

    /** Three accesses in a block, and a monitor. */
    synchronized long down(int k) {
        n++;
        last = this;
        return k == 0 ? n : down(k - 1) + 1;
    }

    private static void run(String who) {
        try {
            System.out.println(who + " " + new Recursion().down(DEPTH));
        } catch (StackOverflowError e) {
            System.out.println(who + " overflow");
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("main")) {
            run("main");
        }
        // A size that the program has set is kept. Runs first: the system could give it the larger stack of a thread
        // that has ended.
        Thread set = new Thread(null, () -> run("set"), "set", 256 << 10);
        set.start();
        set.join();
        Thread free = new Thread(() -> run("started"));
        free.start();
        free.join();
    }
}
