package violating;

import java.lang.reflect.Field;
import schedule.Steps;

/**
 * Accesses by an offset meet those by name: a field of an object, a static one, and an element, looked at and changed in two steps.
 */
@SuppressWarnings("deprecation")
public class UnsafeGetThenPut {
    private static final sun.misc.Unsafe UNSAFE = modelled.UnsafeCalls.U;
    private static long total;
    private int count;
    private volatile String name = "a";
    private final String[] elements = new String[8];

    private static Field field(String name) {
        try {
            return UnsafeGetThenPut.class.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final long COUNT = UNSAFE.objectFieldOffset(field("count"));
    private static final long NAME = UNSAFE.objectFieldOffset(field("name"));
    private static final Object STATICS = UNSAFE.staticFieldBase(field("total"));
    private static final long TOTAL = UNSAFE.staticFieldOffset(field("total"));
    private static final long FIFTH = UNSAFE.arrayBaseOffset(String[].class) + 5L * UNSAFE.arrayIndexScale(String[].class);

    // finding: violating.UnsafeGetThenPut.inField() lost update
    void inField() {
        int seen = UNSAFE.getInt(this, COUNT);
        Steps.done(1);
        Steps.await(2);
        UNSAFE.putInt(this, COUNT, seen + 1);
    }

    // finding: violating.UnsafeGetThenPut.inReference() stale check-then-act on an atomic variable
    boolean inReference() {
        Object seen = UNSAFE.getObjectVolatile(this, NAME);
        Steps.done(3);
        Steps.await(4);
        return UNSAFE.compareAndSwapObject(this, NAME, "b", seen + "!");
    }

    // finding: violating.UnsafeGetThenPut.inStatic() torn update
    void inStatic() {
        UNSAFE.getAndAddLong(STATICS, TOTAL, 1);
        Steps.done(5);
        Steps.await(6);
        UNSAFE.putOrderedLong(STATICS, TOTAL, 5);
    }

    // finding: violating.UnsafeGetThenPut.inElement() unrepeatable read
    boolean inElement() {
        Object seen = UNSAFE.getObject(elements, FIFTH);
        Steps.done(7);
        Steps.await(8);
        return seen == UNSAFE.getObjectVolatile(elements, FIFTH);
    }

    public static void main(String[] args) throws InterruptedException {
        UnsafeGetThenPut p = new UnsafeGetThenPut();
        Steps.run(() -> {
            p.inField();
            System.out.println(p.inReference());
            p.inStatic();
            System.out.println(p.inElement());
        }, () -> {
            Steps.await(1);
            p.count = 7;
            Steps.done(2);
            Steps.await(3);
            p.name = "b";
            Steps.done(4);
            Steps.await(5);
            System.out.println(total);
            Steps.done(6);
            Steps.await(7);
            p.elements[5] = "e";
            Steps.done(8);
        });
        System.out.println(p.count + p.name + total);
    }
}
