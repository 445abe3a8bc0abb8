package rounds;

import java.util.concurrent.atomic.AtomicInteger;
import schedule.Gate;

/** Threads that claim numbers as fast as they can, while another one raises the limit. No schedule of this is a violation. */
public class Contention {
    private static final int END = 3_000;

    private final AtomicInteger index = new AtomicInteger();
    private final AtomicInteger limit = new AtomicInteger();

    /** Returns whether there will be more. */
    boolean claims() {
        for (;;) {
            int p = index.get();
            int most = limit.get();
            if (p >= most) {
                return most < END;
            }
            if (index.compareAndSet(p, p + 1)) {
                return true;
            }
        }
    }

    private void raises() {
        limit.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Contention c = new Contention();
        Gate.atOnce(3, c::claims, END, c::raises);
        System.out.println(c.index.get());
    }
}
