package stress;

import static dev.regiontrack.check.Operation.CHAIN;
import static dev.regiontrack.check.Operation.UNKNOWN;
import static dev.regiontrack.check.Operation.did;
import static dev.regiontrack.check.Operation.history;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * What the threads of {@link LibraryStress} share, and one operation of each kind on it. What tells the order is in arrays, whose elements are not
 * watched.
 */
final class Library {
    /** The kinds of operations. */
    static final String[] KINDS = {"nothing", "map", "collection", "atomic", "handle", "queue", "result", "semaphore", "permits", "lock", "barrier", "task", "state"};
    private static final int MAP = 1;
    private static final int COLLECTION = 2;
    private static final int ATOMIC = 3;
    private static final int HANDLE = 4;
    private static final int QUEUE = 5;
    private static final int RESULT = 6;
    private static final int SEMAPHORE = 7;
    private static final int PERMITS = 8;
    private static final int LOCK = 9;
    private static final int BARRIER = 10;
    private static final int TASK = 11;
    static final int STATE = 12;
    /** Keys of each map, and objects of most other kinds. */
    private static final int KEYS = 16;
    /** Where a thread keeps the version that it has last seen of a map's key, of a counter, of a handle's field; and whether it has permits. */
    private static final int LAST_OF_MAPS = 16;
    private static final int LAST_OF_COUNTERS = 64;
    private static final int LAST_OF_FIELDS = 96;
    private static final int HAS_PERMITS = 128;
    private static final VarHandle X;
    private static final AtomicLongFieldUpdater<Cell> Y = AtomicLongFieldUpdater.newUpdater(Cell.class, "y");

    static {
        try {
            X = MethodHandles.lookup().findVarHandle(Cell.class, "x", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Fields that are accessed by a handle, by an updater and by name. */
    static final class Cell {
        volatile long x;
        volatile long y;
    }

    /** An element that goes from thread to thread. Who has it counts how often it was given. */
    static final class Item {
        final long number;
        final long[] version = new long[1];

        Item(long number) {
            this.number = number;
        }
    }

    private final ConcurrentMap<Integer, Long> hash = new ConcurrentHashMap<>();
    private final ConcurrentNavigableMap<Integer, Long> skip = new ConcurrentSkipListMap<>();
    private final Map<Integer, Long> wrapped = Collections.synchronizedMap(new HashMap<>());
    private final List<Long> vector = new Vector<>(List.of(0L));
    private final List<Long> copied = new CopyOnWriteArrayList<>(List.of(0L));
    private final AtomicLong[] counters = new AtomicLong[KEYS];
    private final AtomicReference<Long> reference = new AtomicReference<>(0L);
    private final AtomicLongArray elements = new AtomicLongArray(KEYS);
    private final Cell[] cells = new Cell[KEYS];
    private final Object[] queues = {new ConcurrentLinkedQueue<Item>(), new LinkedBlockingQueue<Item>(), new ArrayBlockingQueue<Item>(8),
        new LinkedBlockingDeque<Item>(), new LinkedTransferQueue<Item>(), new ConcurrentLinkedDeque<Item>()};
    private final Object[] results;
    private final Semaphore[] semaphores = {new Semaphore(1), new Semaphore(1, true)};
    private final Semaphore permits = new Semaphore(3);
    private final ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock(true)};
    private final ReentrantReadWriteLock[] pairs = {new ReentrantReadWriteLock(), new ReentrantReadWriteLock(true)};
    private final StampedLock stamped = new StampedLock();
    private final CyclicBarrier barrier;
    private final Phaser phaser;
    /** How often each lock was taken alone. */
    private final long[] sections = new long[8];
    private final int threads;

    Library(int threads, int operations) {
        this.threads = threads;
        barrier = new CyclicBarrier(threads);
        phaser = new Phaser(threads);
        for (int key = 0; key < KEYS; key++) {
            hash.put(key, 0L);
            skip.put(key, 0L);
            counters[key] = new AtomicLong();
            cells[key] = new Cell();
        }
        wrapped.put(0, 0L);
        results = new Object[operations / 8 + 3];
        for (int i = 0; i < results.length; i++) {
            results[i] = i % 4 == 0 ? new CompletableFuture<Long>() : i % 4 == 1 ? new FutureTask<>(() -> 1L) : i % 4 == 2 ? ForkJoinTask.adapt(() -> 1L)
                : new CountDownLatch(1);
        }
    }

    // ---- operations, each of which is one call of the library, or a lock's section

    /** On a map by key; {@code fresh} is a value that no other operation has. */
    void onMap(long[] log, int which, int key, long fresh) {
        boolean isHash = (which & 8) == 0;
        ConcurrentMap<Integer, Long> map = isHash ? hash : skip;
        int mine = LAST_OF_MAPS + (isHash ? key : KEYS + key);
        long at = CHAIN | history(MAP, mine);
        switch (which & 7) {
            case 0: did(log, at, map.put(key, fresh), log[mine] = fresh); break;
            case 1:
                map.merge(key, fresh, (old, value) -> {
                    log[1] = old;
                    return value;
                });
                did(log, at, log[1], fresh);
                break;
            case 2:
                map.compute(key, (k, old) -> {
                    log[1] = old;
                    return fresh;
                });
                did(log, at, log[1], fresh);
                break;
            case 3:
                boolean isReplaced = map.replace(key, log[mine], fresh);
                did(log, at, isReplaced ? log[mine] : UNKNOWN, isReplaced ? fresh : 0);
                break;
            case 4: did(log, at, map.putIfAbsent(key, fresh), 0); break;
            case 5:
                if (!isHash) {
                    // Has looked ahead before the step.
                    did(log, at, skip.tailMap(key).values().iterator().next(), 0);
                } else if (key == 0) {
                    did(log, at, map.entrySet().iterator().next().getValue(), 0);
                }
                break;
            case 6:
                if (!isHash) {
                    did(log, at, skip.ceilingEntry(key).getValue(), 0);
                } else if (key == 0) {
                    did(log, at, map.values().iterator().next(), 0);
                }
                break;
            default: did(log, at, log[mine] = map.get(key), 0);
        }
    }

    /** On a collection that is one variable. */
    void onCollection(long[] log, int which, long fresh) {
        int number = which % 3;
        boolean isWrite = (which & 4) == 0;
        long seen;
        if (number == 0) {
            seen = isWrite ? wrapped.put(0, fresh) : wrapped.get(0);
        } else {
            List<Long> list = number == 1 ? vector : copied;
            seen = isWrite ? list.set(0, fresh) : list.get(0);
        }
        did(log, CHAIN | history(COLLECTION, number), seen, isWrite ? fresh : 0);
    }

    /** On an atomic variable. */
    void onAtomic(long[] log, int which, int key, long fresh) {
        AtomicLong counter = counters[key];
        int mine = LAST_OF_COUNTERS + key;
        long at = history(ATOMIC, key);
        long last = log[mine];
        switch (which & 15) {
            case 0: counted(log, at, counter.incrementAndGet()); break;
            case 1: counted(log, at, counter.getAndAdd(1) + 1); break;
            case 2: counted(log, at, counter.updateAndGet(v -> v + 1)); break;
            case 3: replaced(log, at, counter.compareAndSet(last, last + 1), last); break;
            case 4: replaced(log, at, counter.compareAndExchange(last, last + 1) == last, last); break;
            case 5: case 6: counted(log, history(ATOMIC, KEYS + key), elements.incrementAndGet(key)); break;
            case 7: case 8: did(log, history(ATOMIC, KEYS + key), elements.get(key), 0); break;
            case 9: did(log, CHAIN | history(ATOMIC, 2 * KEYS), reference.getAndSet(fresh), fresh); break;
            case 10: did(log, CHAIN | history(ATOMIC, 2 * KEYS), reference.get(), 0); break;
            default: did(log, at, log[mine] = counter.get(), 0);
        }
    }

    static void counted(long[] log, long history, long count) {
        did(log, history, count - 1, count);
    }

    private static void replaced(long[] log, long history, boolean isReplaced, long last) {
        did(log, history, isReplaced ? last : UNKNOWN, isReplaced ? last + 1 : 0);
    }

    /** On a field, by a handle, an updater or its name. */
    void onField(long[] log, int which, int key) {
        Cell cell = cells[key];
        long x = history(HANDLE, key);
        long y = history(HANDLE, KEYS + key);
        int mine = LAST_OF_FIELDS + key;
        long last = log[mine];
        switch (which & 7) {
            case 0: counted(log, x, (long) X.getAndAdd(cell, 1L) + 1); break;
            case 1: replaced(log, x, X.compareAndSet(cell, last, last + 1), last); break;
            case 2: did(log, x, log[mine] = (long) X.getVolatile(cell), 0); break;
            case 3: did(log, x, cell.x, 0); break;
            case 4: counted(log, y, Y.incrementAndGet(cell)); break;
            case 5: did(log, y, Y.get(cell), 0); break;
            default: did(log, y, cell.y, 0);
        }
    }

    /** Gives, takes or looks at an element; {@code own} has the one that the thread has, and the one that it has last given. */
    void onQueue(long[] log, int which, int turn, Item[] own, long fresh) {
        @SuppressWarnings("unchecked")
        Queue<Item> queue = (Queue<Item>) queues[turn % queues.length];
        Item item;
        switch (which & 7) {
            case 0: case 1: case 2:
                item = own[0] != null ? own[0] : new Item(fresh);
                item.version[0]++;
                long version = item.version[0];
                if (queue.offer(item)) {
                    own[0] = null;
                    own[1] = item;
                    did(log, history(QUEUE, item.number), version - 1, version);
                } else {
                    own[0] = item;
                }
                return;
            case 3: case 6:
                // Others can have taken it since, and given it again: this is the latest version that it can have been.
                item = queue.peek();
                if (item != null) {
                    did(log, history(QUEUE, item.number), item.version[0], 0);
                }
                return;
            case 4:
                item = own[0] == null && own[1] != null && queue.remove(own[1]) ? own[1] : null;
                break;
            default: item = own[0] == null ? queue.poll() : null;
        }
        if (item != null) {
            own[0] = item;
            did(log, history(QUEUE, item.number), item.version[0], 0);
        }
    }

    /** Completes a result, if it is this thread's, or looks for it. */
    void onResult(long[] log, int which, int number, int me) throws Exception {
        Object result = results[number];
        boolean isMine = number % threads == me;
        boolean isSeen;
        boolean isNew = isMine && log[2] < number;
        if (result instanceof CompletableFuture) {
            @SuppressWarnings("unchecked")
            CompletableFuture<Long> future = (CompletableFuture<Long>) result;
            isSeen = isMine ? future.complete(1L) : which % 2 == 0 ? future.isDone() : future.getNow(null) != null;
        } else if (result instanceof FutureTask) {
            FutureTask<?> task = (FutureTask<?>) result;
            if (isMine) {
                task.run();
            }
            isSeen = isMine ? isNew : task.isDone();
        } else if (result instanceof ForkJoinTask) {
            ForkJoinTask<?> task = (ForkJoinTask<?>) result;
            if (isMine) {
                task.quietlyComplete();
            }
            isSeen = isMine ? isNew : which % 2 == 0 ? task.isDone() : task.isCompletedNormally();
        } else {
            CountDownLatch latch = (CountDownLatch) result;
            if (isMine) {
                latch.countDown();
            }
            isSeen = isMine ? isNew : latch.await(0, TimeUnit.NANOSECONDS);
        }
        if (isNew) {
            log[2] = number;
        }
        if (isSeen) {
            did(log, history(RESULT, number), isMine ? 0 : 1, isMine ? 1 : 0);
        }
    }

    /** A section of a semaphore that is used as a lock; or one of three permits, for the time until the next call. */
    void onSemaphore(long[] log, int which) {
        int number = which & 1;
        if ((which & 4) != 0) {
            long at = history(PERMITS, 0);
            if (log[HAS_PERMITS] == 1) {
                permits.release();
                log[HAS_PERMITS] = 0;
                did(log, at, UNKNOWN, UNKNOWN);
            } else if (permits.tryAcquire()) {
                log[HAS_PERMITS] = 1;
                did(log, at, UNKNOWN, UNKNOWN);
            }
            return;
        }
        Semaphore semaphore = semaphores[number];
        if ((which & 2) == 0) {
            semaphore.acquireUninterruptibly();
        } else if (!semaphore.tryAcquire()) {
            return;
        }
        counted(log, history(SEMAPHORE, number), ++sections[number]);
        semaphore.release();
    }

    /** A section of a lock, alone or shared. */
    void onLock(long[] log, int which) {
        int number = which & 1;
        switch (which >> 1 & 7) {
            case 0: case 1:
                ReentrantLock lock = locks[number];
                if ((which & 2) == 0) {
                    lock.lock();
                } else if (!lock.tryLock()) {
                    return;
                }
                counted(log, history(LOCK, number), ++sections[2 + number]);
                lock.unlock();
                break;
            case 2:
                pairs[number].writeLock().lock();
                counted(log, history(LOCK, 2 + number), ++sections[4 + number]);
                pairs[number].writeLock().unlock();
                break;
            case 3: case 4:
                pairs[number].readLock().lock();
                did(log, history(LOCK, 2 + number), sections[4 + number], 0);
                pairs[number].readLock().unlock();
                break;
            case 5:
                long alone = stamped.writeLock();
                counted(log, history(LOCK, 4), ++sections[6]);
                stamped.unlockWrite(alone);
                break;
            default:
                long shared = stamped.readLock();
                did(log, history(LOCK, 4), sections[6], 0);
                stamped.unlockRead(shared);
        }
    }

    /** All threads meet, for the time with this number. */
    void meet(long[] log, long time, boolean isBarrier) throws InterruptedException, BrokenBarrierException {
        if (isBarrier) {
            barrier.await();
        } else {
            phaser.arriveAndAwaitAdvance();
        }
        did(log, history(BARRIER, isBarrier ? 0 : 1), time - 1, time);
    }

    /** A task is given away. */
    static void gave(long[] log, long number) {
        did(log, history(TASK, number), 0, 1);
    }

    /** A task is run. */
    static void ran(long[] log, long number) {
        did(log, history(TASK, number), 1, 0);
    }
}
