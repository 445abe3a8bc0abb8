package rare;

import java.util.concurrent.locks.StampedLock;

/** What was read optimistically, and was valid then, is used for a write afterwards. */
public final class Optimistic {
    private Optimistic() {
    }

    public static final class Wrong extends Pair {
        private final StampedLock lock = new StampedLock();
        private volatile int value;

        @Override
        public void one() {
            long stamp = lock.tryOptimisticRead();
            int now = value;
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                now = value;
                lock.unlockRead(stamp);
            }
            stamp = lock.writeLock();
            value = now + 1;
            lock.unlockWrite(stamp);
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }

    public static final class Right extends Pair {
        private final StampedLock lock = new StampedLock();
        private volatile int value;

        @Override
        public void one() {
            long stamp = lock.writeLock();
            int now = value;
            value = now + 1;
            lock.unlockWrite(stamp);
        }

        @Override
        public boolean isRight() {
            return value == 2;
        }
    }
}
