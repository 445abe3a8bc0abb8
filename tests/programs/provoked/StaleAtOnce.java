package provoked;

/** Like {@link Stale}, with one look. */
public final class StaleAtOnce {
    private volatile int[] range = {1, 2};

    int width() {
        int[] now = range;
        Places.work();
        return now[1] - now[0];
    }

    void move(int by) {
        range = new int[] {1 + by, 2 + by};
    }

    public static void main(String[] args) throws InterruptedException {
        StaleAtOnce stale = new StaleAtOnce();
        Places.together(stale::width, () -> stale.move(10));
    }
}
