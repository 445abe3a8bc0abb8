package atomic;

import schedule.Steps;

/**
 * One access by an offset in each method; other offsets are other variables; memory outside the heap is none.
 */
@SuppressWarnings("deprecation")
public class UnsafeOnce {
    private static final sun.misc.Unsafe UNSAFE = modelled.UnsafeCalls.U;
    private int count;
    private int other;
    private final long[] elements = new long[4];

    private static long offset(String name) {
        try {
            return UNSAFE.objectFieldOffset(UnsafeOnce.class.getDeclaredField(name));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final long COUNT = offset("count");
    private static final long OTHER = offset("other");
    private static final long SCALE = UNSAFE.arrayIndexScale(long[].class);
    private static final long BASE = UNSAFE.arrayBaseOffset(long[].class);

    int add() {
        return UNSAFE.getAndAddInt(this, COUNT, 1);
    }

    boolean replace() {
        return UNSAFE.compareAndSwapInt(this, COUNT, 2, 7);
    }

    long twoFields() {
        int seen = UNSAFE.getInt(this, COUNT);
        Steps.done(3);
        Steps.await(4);
        return seen + UNSAFE.getLong(elements, BASE);
    }

    long outside() {
        long address = UNSAFE.allocateMemory(8);
        UNSAFE.putLong(address, 5);
        long value = UNSAFE.getLong(null, address);
        UNSAFE.freeMemory(address);
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        UnsafeOnce p = new UnsafeOnce();
        Steps.run(() -> {
            p.add();
            Steps.done(1);
            Steps.await(2);
            System.out.println(p.replace() + " " + p.twoFields() + " " + p.outside());
        }, () -> {
            Steps.await(1);
            p.add();
            Steps.done(2);
            Steps.await(3);
            UNSAFE.putInt(p, OTHER, 3);
            UNSAFE.putLong(p.elements, BASE + SCALE, 9);
            Steps.done(4);
        });
        System.out.println(p.count + " " + p.other + " " + p.elements[1]);
    }
}
