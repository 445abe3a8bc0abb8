package provoked;

import java.util.concurrent.locks.ReentrantLock;

/** Two sections of a lock of the library. */
public final class Locks {
    private final ReentrantLock lock = new ReentrantLock();
    private int value = 1;

    // block provoked.Locks.twice()
    void twice() {
        int now;
        lock.lock();
        try {
            now = value; // first provoked.Locks.twice read value
        } finally {
            lock.unlock(); // hold provoked.Locks.twice release unlock()
        }
        Places.work();
        lock.lock(); // enter provoked.Locks.twice acquire lock()
        try {
            value = now * 2; // last other provoked.Locks.twice write value
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Locks locks = new Locks();
        Places.together(locks::twice, locks::twice);
    }
}
