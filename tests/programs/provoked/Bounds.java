package provoked;

/** A reader of two bounds, one after the other, and a writer that moves both. */
public final class Bounds {
    private volatile int low = 1;
    private volatile int high = 2;

    // block provoked.Bounds.width()
    int width() {
        int from = low;
        Places.work();
        return high - from;
    }

    void move(int to) {
        low = to;
        high = to + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Bounds bounds = new Bounds();
        Places.together(bounds::width, () -> bounds.move(10));
    }
}
