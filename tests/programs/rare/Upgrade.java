package rare;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What was read under the read lock is used under the write lock, which is taken after that. */
public final class Upgrade {
    private Upgrade() {
    }

    public static final class Wrong extends Pair {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private int value;

        @Override
        public void one() {
            lock.readLock().lock();
            int now;
            try {
                now = value;
            } finally {
                lock.readLock().unlock();
            }
            lock.writeLock().lock();
            try {
                value = now + 1;
            } finally {
                lock.writeLock().unlock();
            }
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }

    public static final class Right extends Pair {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private int value;

        @Override
        public void one() {
            lock.writeLock().lock();
            try {
                int now = value;
                value = now + 1;
            } finally {
                lock.writeLock().unlock();
            }
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }
}
