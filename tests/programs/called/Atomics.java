package called;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Calls of atomic variables, locks, and what threads signal by.
 */
final class Atomics {
    /** A field, and what gives access to it. */
    static final class Holder {
        private static final AtomicIntegerFieldUpdater<Holder> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Holder.class, "field");
        private static final VarHandle HANDLE = handle();

        volatile int field;

        private static VarHandle handle() {
            try {
                return MethodHandles.lookup().findVarHandle(Holder.class, "field", int.class);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Atomics() {
    }

    static Object made(String kind) {
        switch (kind) {
            case "AtomicInteger":
                return new AtomicInteger();
            case "AtomicIntegerArray":
                return new AtomicIntegerArray(4);
            case "Holder":
                return new Holder();
            case "LongAdder":
                return new LongAdder();
            case "ReentrantLock":
                return new ReentrantLock();
            case "ReentrantReadWriteLock":
                return new ReentrantReadWriteLock();
            case "CountDownLatch":
                return new CountDownLatch(2);
            case "Semaphore":
                return new Semaphore(1);
            case "CompletableFuture":
                return new CompletableFuture<>();
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    static Object call(Object on, String name, int a, int b) {
        String method = name.substring(name.indexOf('.') + 1);
        switch (name.substring(0, name.indexOf('.'))) {
            case "atomic":
                return atomic((AtomicInteger) on, method, b);
            case "array":
                return array((AtomicIntegerArray) on, method, a, b);
            case "holder":
                return holder((Holder) on, method, b);
            case "adder":
                return adder((LongAdder) on, method);
            case "lock":
                return lock((ReentrantLock) on, method);
            case "locks":
                return locks((ReentrantReadWriteLock) on, method);
            case "latch":
                return latch((CountDownLatch) on, method);
            case "semaphore":
                return semaphore((Semaphore) on, method);
            default:
                return future((CompletableFuture<?>) on, method);
        }
    }

    private static Object atomic(AtomicInteger on, String method, int b) {
        switch (method) {
            case "get":
                return on.get();
            case "set":
                on.set(b);
                return "x";
            case "incrementAndGet":
                return on.incrementAndGet();
            case "compareAndSet":
                return on.compareAndSet(b, b + 1);
            case "getAndUpdate":
                return on.getAndUpdate(old -> old + b);
            case "getAndSet":
                return on.getAndSet(b);
            case "lazySet":
                on.lazySet(b);
                return "x";
            default:
                return on.compareAndExchange(b, b + 1) == b;
        }
    }

    private static Object array(AtomicIntegerArray on, String method, int a, int b) {
        switch (method) {
            case "get":
                return on.get(a);
            case "set":
                on.set(a, b);
                return "x";
            case "addAndGet":
                return on.addAndGet(a, b);
            case "compareAndSet":
                return on.compareAndSet(a, b, b + 1);
            default:
                return on.accumulateAndGet(a, b, Math::max);
        }
    }

    private static Object holder(Holder on, String method, int b) {
        switch (method) {
            case "get":
                return on.field;
            case "set":
                on.field = b;
                return "x";
            case "getOfHandle":
                return (int) Holder.HANDLE.getVolatile(on);
            case "setOfHandle":
                Holder.HANDLE.setRelease(on, b);
                return "x";
            case "compareAndSetOfHandle":
                return Holder.HANDLE.compareAndSet(on, b, b + 1);
            case "addOfUpdater":
                return Holder.UPDATER.addAndGet(on, b);
            case "getOfUpdater":
                return Holder.UPDATER.get(on);
            default:
                return Holder.UPDATER.updateAndGet(on, old -> b);
        }
    }

    private static Object adder(LongAdder on, String method) {
        switch (method) {
            case "increment":
                on.increment();
                return "x";
            case "sum":
                return on.sum();
            case "intValue":
                return on.intValue();
            default:
                return on.sumThenReset();
        }
    }

    private static Object lock(ReentrantLock on, String method) {
        if (method.equals("tryLock")) {
            return on.tryLock();
        }
        return on.isHeldByCurrentThread() && given(on);
    }

    private static boolean given(Lock on) {
        on.unlock();
        return true;
    }

    private static Object locks(ReentrantReadWriteLock on, String method) {
        switch (method) {
            case "tryRead":
                return on.readLock().tryLock();
            case "tryWrite":
                return on.writeLock().tryLock();
            case "unlockRead":
                return on.getReadHoldCount() > 0 && given(on.readLock());
            default:
                return on.isWriteLockedByCurrentThread() && given(on.writeLock());
        }
    }

    private static Object latch(CountDownLatch on, String method) {
        if (method.equals("countDown")) {
            on.countDown();
            return "x";
        }
        return on.getCount();
    }

    private static Object semaphore(Semaphore on, String method) {
        if (method.equals("tryAcquire")) {
            return on.tryAcquire();
        }
        on.release();
        return "x";
    }

    private static Object future(CompletableFuture<?> on, String method) {
        switch (method) {
            case "complete":
                return on.complete(null);
            case "cancel":
                return on.completeExceptionally(new IllegalStateException());
            case "isDone":
                return on.isDone();
            case "join":
                return on.isDone() ? joined(on) : "skipped";
            default:
                on.whenComplete((result, failure) -> { });
                return on.isDone() ? "done" : "registered";
        }
    }

    private static Object joined(CompletableFuture<?> on) {
        try {
            return on.join();
        } catch (RuntimeException e) {
            return "failed";
        }
    }
}
