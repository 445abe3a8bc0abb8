package modelled;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Calls of atomic variables, of handles and updaters of fields, of adders, and sections of locks with readers, that other programs of these tests do not make.
 */
public class AtomicCalls extends Calls {
    private static final AtomicIntegerFieldUpdater<Cell> UPDATER = AtomicIntegerFieldUpdater.newUpdater(Cell.class, "value");
    private static final VarHandle HANDLE;

    static {
        try {
            HANDLE = MethodHandles.lookup().findVarHandle(Cell.class, "value", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A field to be accessed. */
    static class Cell {
        volatile int value;
    }

    /** All of them. */
    public AtomicCalls() {
        atomics();
        arrays();
        updaters();
        handles();
        adders();
        locks();
    }

    private static Object nothing(Runnable call) {
        call.run();
        return null;
    }

    private void atomics() {
        reads(AtomicInteger::new, (a, t) -> a.incrementAndGet(), (a, t) -> a.intValue(), (a, t) -> a.longValue(), (a, t) -> a.getPlain(), (a, t) -> a.getOpaque(),
            (a, t) -> a.compareAndExchange(7, 8),
            (a, t) -> a.compareAndExchangeAcquire(7, 8), (a, t) -> a.compareAndExchangeRelease(7, 8));
        writes(AtomicInteger::new, (a, t) -> a.get(), (a, t) -> nothing(() -> a.lazySet(5)), (a, t) -> nothing(() -> a.setPlain(5)),
            (a, t) -> nothing(() -> a.setOpaque(5)), (a, t) -> nothing(() -> a.setRelease(5)), (a, t) -> a.getAndIncrement(), (a, t) -> a.getAndDecrement(),
            (a, t) -> a.decrementAndGet(), (a, t) -> a.updateAndGet(v -> v + 1), (a, t) -> a.getAndUpdate(v -> v + 1),
            (a, t) -> a.getAndAccumulate(1, Integer::sum), (a, t) -> a.accumulateAndGet(1, Integer::sum),
            (a, t) -> a.weakCompareAndSetPlain(t, t + 1) || a.weakCompareAndSetPlain(t, t + 1),
            (a, t) -> a.weakCompareAndSetVolatile(t, t + 1) || a.weakCompareAndSetVolatile(t, t + 1),
            (a, t) -> a.weakCompareAndSetAcquire(t, t + 1) || a.weakCompareAndSetAcquire(t, t + 1),
            (a, t) -> a.weakCompareAndSetRelease(t, t + 1) || a.weakCompareAndSetRelease(t, t + 1));
        reads(() -> new AtomicMarkableReference<>("a", false), (a, t) -> a.attemptMark("a", true), (a, t) -> a.getReference());
        writes(() -> new AtomicMarkableReference<>("a", false), (a, t) -> a.isMarked(), (a, t) -> a.attemptMark("a", t == 0),
            (a, t) -> a.weakCompareAndSet("a", "a", t != 0, t == 0) || a.weakCompareAndSet("a", "a", t != 0, t == 0));
    }

    private void arrays() {
        reads(() -> new AtomicIntegerArray(2), (a, t) -> a.incrementAndGet(1), (a, t) -> a.getPlain(1), (a, t) -> a.getOpaque(1),
            (a, t) -> a.compareAndExchange(1, 7, 8),
            (a, t) -> a.compareAndExchangeAcquire(1, 7, 8), (a, t) -> a.compareAndExchangeRelease(1, 7, 8));
        writes(() -> new AtomicIntegerArray(2), (a, t) -> a.get(1), (a, t) -> nothing(() -> a.lazySet(1, 5)), (a, t) -> nothing(() -> a.setPlain(1, 5)),
            (a, t) -> nothing(() -> a.setOpaque(1, 5)), (a, t) -> a.getAndIncrement(1), (a, t) -> a.getAndDecrement(1), (a, t) -> a.decrementAndGet(1),
            (a, t) -> a.updateAndGet(1, v -> v + 1), (a, t) -> a.getAndUpdate(1, v -> v + 1), (a, t) -> a.getAndAccumulate(1, 1, Integer::sum),
            (a, t) -> a.accumulateAndGet(1, 1, Integer::sum),
            (a, t) -> a.weakCompareAndSetPlain(1, t, t + 1) || a.weakCompareAndSetPlain(1, t, t + 1),
            (a, t) -> a.weakCompareAndSetVolatile(1, t, t + 1) || a.weakCompareAndSetVolatile(1, t, t + 1),
            (a, t) -> a.weakCompareAndSetAcquire(1, t, t + 1) || a.weakCompareAndSetAcquire(1, t, t + 1),
            (a, t) -> a.weakCompareAndSetRelease(1, t, t + 1) || a.weakCompareAndSetRelease(1, t, t + 1));
    }

    private void updaters() {
        // Updates by a function count as reads.
        reads(Cell::new, (c, t) -> UPDATER.incrementAndGet(c), (c, t) -> UPDATER.updateAndGet(c, v -> v + 1), (c, t) -> UPDATER.getAndUpdate(c, v -> v + 1),
            (c, t) -> UPDATER.getAndAccumulate(c, 1, Integer::sum), (c, t) -> UPDATER.accumulateAndGet(c, 1, Integer::sum));
        writes(Cell::new, (c, t) -> UPDATER.get(c), (c, t) -> nothing(() -> UPDATER.lazySet(c, 5)), (c, t) -> UPDATER.getAndIncrement(c),
            (c, t) -> UPDATER.getAndDecrement(c), (c, t) -> UPDATER.decrementAndGet(c),
            (c, t) -> UPDATER.weakCompareAndSet(c, t, t + 1) || UPDATER.weakCompareAndSet(c, t, t + 1));
    }

    private void handles() {
        reads(Cell::new, (c, t) -> (int) HANDLE.getAndAdd(c, 1), (c, t) -> (int) HANDLE.getOpaque(c),
            (c, t) -> (int) HANDLE.compareAndExchange(c, 7, 8),
            (c, t) -> (int) HANDLE.compareAndExchangeAcquire(c, 7, 8), (c, t) -> (int) HANDLE.compareAndExchangeRelease(c, 7, 8));
        writes(Cell::new, (c, t) -> (int) HANDLE.getVolatile(c), (c, t) -> nothing(() -> HANDLE.setOpaque(c, 5)),
            (c, t) -> nothing(() -> HANDLE.setVolatile(c, 5)), (c, t) -> (int) HANDLE.getAndBitwiseOr(c, 1),
            (c, t) -> HANDLE.weakCompareAndSet(c, t, t + 1) || HANDLE.weakCompareAndSet(c, t, t + 1),
            (c, t) -> HANDLE.weakCompareAndSetPlain(c, t, t + 1) || HANDLE.weakCompareAndSetPlain(c, t, t + 1), (c, t) -> (int) HANDLE.getAndSetAcquire(c, 5),
            (c, t) -> (int) HANDLE.getAndSetRelease(c, 5), (c, t) -> (int) HANDLE.getAndAddAcquire(c, 1), (c, t) -> (int) HANDLE.getAndAddRelease(c, 1),
            (c, t) -> (int) HANDLE.getAndBitwiseOrAcquire(c, 1), (c, t) -> (int) HANDLE.getAndBitwiseOrRelease(c, 1),
            (c, t) -> (int) HANDLE.getAndBitwiseAnd(c, 1), (c, t) -> (int) HANDLE.getAndBitwiseAndAcquire(c, 1),
            (c, t) -> (int) HANDLE.getAndBitwiseAndRelease(c, 1), (c, t) -> (int) HANDLE.getAndBitwiseXor(c, 1),
            (c, t) -> (int) HANDLE.getAndBitwiseXorAcquire(c, 1), (c, t) -> (int) HANDLE.getAndBitwiseXorRelease(c, 1),
            (c, t) -> HANDLE.weakCompareAndSetAcquire(c, t, t + 1) || HANDLE.weakCompareAndSetAcquire(c, t, t + 1),
            (c, t) -> HANDLE.weakCompareAndSetRelease(c, t, t + 1) || HANDLE.weakCompareAndSetRelease(c, t, t + 1));
    }

    private void adders() {
        reads(LongAdder::new, (a, t) -> nothing(() -> a.increment()), (a, t) -> a.intValue(), (a, t) -> a.longValue(), (a, t) -> a.floatValue(), (a, t) -> a.doubleValue(),
            (a, t) -> a.toString());
        writes(LongAdder::new, (a, t) -> a.sum(), (a, t) -> nothing(() -> a.decrement()), (a, t) -> a.sumThenReset());
        writes(() -> new DoubleAccumulator(Math::max, 0), (a, t) -> a.get(), (a, t) -> a.getThenReset());
    }

    private void locks() {
        reads(ReentrantReadWriteLock::new, (l, t) -> section(l.writeLock()), (l, t) -> section(l.readLock()));
        writes(ReentrantReadWriteLock::new, (l, t) -> section(l.readLock()), (l, t) -> section(l.writeLock()));
        reads(StampedLock::new, (l, t) -> section(l.asWriteLock()), (l, t) -> section(l.asReadLock()), (l, t) -> section(l.asReadWriteLock().readLock()),
            (l, t) -> {
                l.unlockRead(l.readLockInterruptibly());
                return null;
            });
        writes(StampedLock::new, (l, t) -> section(l.asReadLock()), (l, t) -> section(l.asWriteLock()), (l, t) -> section(l.asReadWriteLock().writeLock()),
            (l, t) -> {
                l.unlockWrite(l.writeLockInterruptibly());
                return null;
            });
    }

    private static Object section(Lock lock) throws InterruptedException {
        lock.lockInterruptibly();
        lock.unlock();
        return null;
    }
}
