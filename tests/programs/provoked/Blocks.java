package provoked;

/** Two synchronized blocks in one method. */
public final class Blocks {
    private final Object lock = new Object();
    private long total = 1;

    // block provoked.Blocks.half()
    void half() {
        long now;
        synchronized (lock) {
            now = total; // first provoked.Blocks.half read total
        } // hold provoked.Blocks.half release
        Places.work();
        synchronized (lock) { // enter provoked.Blocks.half acquire
            total = now / 2; // last other provoked.Blocks.half write total
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Blocks blocks = new Blocks();
        Places.together(blocks::half, blocks::half);
    }
}
