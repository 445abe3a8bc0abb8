package rare;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A condition that is signalled in a later section than the one that makes it true. */
public final class LateSignal {
    private LateSignal() {
    }

    public static final class Wrong extends Pair {
        private final Lock lock = new ReentrantLock();
        private final Condition isFull = lock.newCondition();
        private int filled;
        private int emptied;
        private int signalledEmpty;

        @Override
        public void one() {
            lock.lock();
            try {
                filled++;
            } finally {
                lock.unlock();
            }
            lock.lock();
            try {
                if (filled == emptied) {
                    signalledEmpty++;
                }
                isFull.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void other() {
            lock.lock();
            try {
                emptied = filled;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isRight() {
            return signalledEmpty == 0;
        }
    }

    public static final class Right extends Pair {
        private final Lock lock = new ReentrantLock();
        private final Condition isFull = lock.newCondition();
        private int filled;
        private int emptied;
        private int signalledEmpty;

        @Override
        public void one() {
            lock.lock();
            try {
                filled++;
                if (filled == emptied) {
                    signalledEmpty++;
                }
                isFull.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void other() {
            lock.lock();
            try {
                emptied = filled;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isRight() {
            return signalledEmpty == 0;
        }
    }
}
