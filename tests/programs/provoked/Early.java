package provoked;

/** The other thread is of another kind, runs once, and is over before the one that is to be held has begun. */
public final class Early {
    private int value = 1;
    private volatile long busy;

    // block provoked.Early.read()
    int read() {
        int one;
        synchronized (this) {
            one = value; // first provoked.Early.read read value
        } // hold provoked.Early.read release
        Places.work();
        synchronized (this) {
            return value - one; // last provoked.Early.read read value
        }
    }

    synchronized void move() {
        value += 10; // other provoked.Early.move write value; enter provoked.Early.move acquire
    }

    public static void main(String[] args) throws InterruptedException {
        Early early = new Early();
        Places.together(early::move, () -> {
            for (int i = 0; i < 20_000; i++) {
                early.busy += i;
            }
            early.read();
        });
    }
}
