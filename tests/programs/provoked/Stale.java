package provoked;

/** A setting that is looked at twice, and replaced by another thread. */
public final class Stale {
    private volatile int[] range = {1, 2};

    // block provoked.Stale.width()
    int width() {
        int from = range[0];
        Places.work();
        return range[1] - from;
    }

    void move(int by) {
        range = new int[] {1 + by, 2 + by};
    }

    public static void main(String[] args) throws InterruptedException {
        Stale stale = new Stale();
        Places.together(stale::width, () -> stale.move(10));
    }
}
