package provoked;

/** As {@link Apart}, with synchronized blocks in one method. */
public final class ApartBlocks {
    private final Object lock = new Object();
    private int value;

    // block provoked.ApartBlocks.both()
    void both() {
        synchronized (lock) {
            value++;
        } // first hold provoked.ApartBlocks.both release
        Places.work();
        synchronized (lock) { // last other provoked.ApartBlocks.both acquire
            value++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ApartBlocks apart = new ApartBlocks();
        ApartBlocks other = args.length == 0 ? new ApartBlocks() : apart;
        Places.together(apart::both, other::both);
    }
}
