package stress;

/** A class with fields of all kinds, to be loaded and forgotten. */
public class Plain implements Runnable {
    static int count;
    static Object last;
    static long wide;
    private int mine;

    @Override
    public synchronized void run() {
        for (int i = 0; i < 3; i++) {
            mine += ++count;
            last = this;
            wide += mine;
        }
    }
}
