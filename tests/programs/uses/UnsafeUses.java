package uses;

import static schedule.Threads.second;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/**
 * Accesses by the offset of a field or an element, beside others to the same one.
 */
class UnsafeUses {
    private static final Unsafe UNSAFE = unsafe();
    private static final long COUNT = offset("count");
    private static final long OTHER = offset("other");
    private static final long FIRST = Unsafe.ARRAY_OBJECT_BASE_OFFSET;
    private static final long SECOND = FIRST + Unsafe.ARRAY_OBJECT_INDEX_SCALE;

    private int count;
    private int other;
    private final String[] elements = {"a", "b"};

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long offset(String field) {
        try {
            return UNSAFE.objectFieldOffset(UnsafeUses.class.getDeclaredField(field));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    int offsetThenFieldAroundFieldIsViolated() {
        int seen = UNSAFE.getInt(this, COUNT);
        second(() -> count = 5);
        return seen + count;
    }

    int offsetTwiceAroundAnotherOffsetIsAtomic() {
        int seen = UNSAFE.getAndAddInt(this, COUNT, 1);
        second(() -> UNSAFE.putIntVolatile(this, OTHER, 1));
        return seen + UNSAFE.getAndAddInt(this, COUNT, 1);
    }

    boolean compareAndSwapThatFailsTwiceAroundReadIsAtomic() {
        boolean done = UNSAFE.compareAndSwapInt(this, COUNT, 7, 8);
        second(() -> UNSAFE.getIntVolatile(this, COUNT));
        return done || UNSAFE.compareAndSwapInt(this, COUNT, 7, 8);
    }

    boolean compareAndSwapTwiceAroundReadIsViolated() {
        boolean done = UNSAFE.compareAndSwapInt(this, COUNT, 0, 8);
        second(() -> UNSAFE.getIntVolatile(this, COUNT));
        return done && UNSAFE.compareAndSwapInt(this, COUNT, 8, 9);
    }

    String elementByOffsetAroundElementIsViolated() {
        String seen = (String) UNSAFE.getAndSetObject(elements, SECOND, "c");
        second(() -> elements[1] = "d");
        return seen + (String) UNSAFE.getObject(elements, SECOND);
    }

    String elementByOffsetAroundAnotherElementIsAtomic() {
        String seen = (String) UNSAFE.getAndSetObject(elements, SECOND, "c");
        second(() -> UNSAFE.putOrderedObject(elements, FIRST, "d"));
        return seen + (String) UNSAFE.getObject(elements, SECOND);
    }

    int offsetThenOtherInOrderIsViolated() {
        UNSAFE.putInt(this, COUNT, 1);
        second(() -> UNSAFE.putInt(this, OTHER, UNSAFE.getInt(this, COUNT)));
        return UNSAFE.getInt(this, OTHER);
    }
}
