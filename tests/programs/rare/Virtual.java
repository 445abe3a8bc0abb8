package rare;

import java.util.concurrent.locks.ReentrantLock;

/** Two sections of a lock in virtual threads, where the JVM has them, and otherwise in others. */
public final class Virtual {
    private Virtual() {
    }

    private static Thread started(Runnable task) throws ReflectiveOperationException {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (NoSuchMethodException | java.lang.reflect.InvocationTargetException e) {
            Thread thread = new Thread(task);
            thread.start();
            return thread;
        }
    }

    private abstract static class InVirtualThreads extends Pair {
        final ReentrantLock lock = new ReentrantLock();
        int value;

        @Override
        public final void together(Runnable one, Runnable other) throws Exception {
            Thread first = started(one);
            Thread second = started(other);
            first.join();
            second.join();
        }

        @Override
        public final boolean isRight() {
            return value == 2;
        }
    }

    public static final class Wrong extends InVirtualThreads {
        @Override
        public void one() {
            int now;
            lock.lock();
            try {
                now = value;
            } finally {
                lock.unlock();
            }
            lock.lock();
            try {
                value = now + 1;
            } finally {
                lock.unlock();
            }
        }
    }

    public static final class Right extends InVirtualThreads {
        @Override
        public void one() {
            lock.lock();
            try {
                int now = value;
                value = now + 1;
            } finally {
                lock.unlock();
            }
        }
    }
}
