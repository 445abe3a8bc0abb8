package provoked;

/** Two synchronized methods of one name and the same code, so that only their parameters tell them apart in a class file without lines. */
public final class Overloads {
    private long sum;

    private synchronized long sum() {
        return sum;
    }

    private synchronized void set(long to) {
        sum = to;
    }

    private synchronized void set(Long to) {
        sum = to;
    }

    // block provoked.Overloads.add(long)
    void add(long more) {
        long now = sum();
        Places.work();
        set(now + more);
    }

    public static void main(String[] args) throws InterruptedException {
        Overloads sums = new Overloads();
        Places.together(() -> sums.add(3), () -> sums.add(4));
        sums.set(Long.valueOf(3));
    }
}
