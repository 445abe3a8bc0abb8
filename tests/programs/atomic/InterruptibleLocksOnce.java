package atomic;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import schedule.Turns;

/**
 * One section of a lock that is taken in a way that can fail; and an element of a queue that waits for its time, which is there before the method begins.
 */
public class InterruptibleLocksOnce {
    private final Turns turns = new Turns();
    private final ReentrantLock lock = new ReentrantLock();
    private final DelayQueue<Now> queue = new DelayQueue<>();

    /** An element whose time has come. */
    static final class Now implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    void once() throws InterruptedException {
        turns.give(this::section);
        lock.lockInterruptibly();
        lock.unlock();
        turns.give(this::section);
    }

    boolean takes() {
        boolean isThere = queue.poll() != null;
        turns.give(this::add);
        return isThere;
    }

    private void section() {
        lock.lock();
        lock.unlock();
    }

    private void add() {
        queue.add(new Now());
    }

    public static void main(String[] args) throws InterruptedException {
        InterruptibleLocksOnce p = new InterruptibleLocksOnce();
        p.turns.run(() -> {
            try {
                p.once();
            } catch (InterruptedException e) {
                System.out.println(e);
            }
            p.turns.give(p::add);
            System.out.println(p.takes());
        });
    }
}
