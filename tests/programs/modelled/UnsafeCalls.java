package modelled;

import java.lang.reflect.Field;

/**
 * Accesses to fields of every type by their offsets.
 */
public class UnsafeCalls extends Calls {
    /** For other programs, too. */
    public static final sun.misc.Unsafe U = unsafe();

    /** A field of each type. */
    static class Cell {
        boolean z;
        byte b;
        short s;
        char c;
        int i;
        long j;
        float f;
        double d;
        Object o;
    }

    private static final long Z = offset("z");
    private static final long B = offset("b");
    private static final long S = offset("s");
    private static final long C = offset("c");
    private static final long I = offset("i");
    private static final long J = offset("j");
    private static final long F = offset("f");
    private static final long D = offset("d");
    private static final long O = offset("o");

    /** All of them. */
    public UnsafeCalls() {
        integers();
        others();
        updates();
    }

    private static sun.misc.Unsafe unsafe() {
        try {
            Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (sun.misc.Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long offset(String name) {
        try {
            return U.objectFieldOffset(Cell.class.getDeclaredField(name));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object nothing(Runnable call) {
        call.run();
        return null;
    }

    private void integers() {
        reads(Cell::new, (c, t) -> c.b++, (c, t) -> U.getByte(c, B), (c, t) -> U.getByteVolatile(c, B));
        writes(Cell::new, (c, t) -> c.b, (c, t) -> nothing(() -> U.putByte(c, B, (byte) 1)), (c, t) -> nothing(() -> U.putByteVolatile(c, B, (byte) 1)));
        reads(Cell::new, (c, t) -> c.s++, (c, t) -> U.getShort(c, S), (c, t) -> U.getShortVolatile(c, S));
        writes(Cell::new, (c, t) -> c.s, (c, t) -> nothing(() -> U.putShort(c, S, (short) 1)), (c, t) -> nothing(() -> U.putShortVolatile(c, S, (short) 1)));
        reads(Cell::new, (c, t) -> c.c++, (c, t) -> U.getChar(c, C), (c, t) -> U.getCharVolatile(c, C));
        writes(Cell::new, (c, t) -> c.c, (c, t) -> nothing(() -> U.putChar(c, C, 'a')), (c, t) -> nothing(() -> U.putCharVolatile(c, C, 'a')));
        reads(Cell::new, (c, t) -> c.i++, (c, t) -> U.getInt(c, I), (c, t) -> U.getIntVolatile(c, I));
        writes(Cell::new, (c, t) -> c.i, (c, t) -> nothing(() -> U.putInt(c, I, 1)), (c, t) -> nothing(() -> U.putIntVolatile(c, I, 1)),
            (c, t) -> nothing(() -> U.putOrderedInt(c, I, 1)));
        reads(Cell::new, (c, t) -> c.j++, (c, t) -> U.getLong(c, J), (c, t) -> U.getLongVolatile(c, J));
        writes(Cell::new, (c, t) -> c.j, (c, t) -> nothing(() -> U.putLong(c, J, 1)), (c, t) -> nothing(() -> U.putLongVolatile(c, J, 1)),
            (c, t) -> nothing(() -> U.putOrderedLong(c, J, 1)));
    }

    private void others() {
        reads(Cell::new, (c, t) -> c.z = true, (c, t) -> U.getBoolean(c, Z), (c, t) -> U.getBooleanVolatile(c, Z));
        writes(Cell::new, (c, t) -> c.z, (c, t) -> nothing(() -> U.putBoolean(c, Z, true)), (c, t) -> nothing(() -> U.putBooleanVolatile(c, Z, true)));
        reads(Cell::new, (c, t) -> c.f++, (c, t) -> U.getFloat(c, F), (c, t) -> U.getFloatVolatile(c, F));
        writes(Cell::new, (c, t) -> c.f, (c, t) -> nothing(() -> U.putFloat(c, F, 1)), (c, t) -> nothing(() -> U.putFloatVolatile(c, F, 1)));
        reads(Cell::new, (c, t) -> c.d++, (c, t) -> U.getDouble(c, D), (c, t) -> U.getDoubleVolatile(c, D));
        writes(Cell::new, (c, t) -> c.d, (c, t) -> nothing(() -> U.putDouble(c, D, 1)), (c, t) -> nothing(() -> U.putDoubleVolatile(c, D, 1)));
        reads(Cell::new, (c, t) -> c.o = "a", (c, t) -> U.getObject(c, O), (c, t) -> U.getObjectVolatile(c, O));
        writes(Cell::new, (c, t) -> c.o, (c, t) -> nothing(() -> U.putObject(c, O, "b")), (c, t) -> nothing(() -> U.putObjectVolatile(c, O, "b")),
            (c, t) -> nothing(() -> U.putOrderedObject(c, O, "b")));
    }

    private void updates() {
        writes(Cell::new, (c, t) -> c.i, (c, t) -> U.getAndAddInt(c, I, 1), (c, t) -> U.getAndSetInt(c, I, 1), (c, t) -> U.compareAndSwapInt(c, I, t, t + 1));
        writes(Cell::new, (c, t) -> c.j, (c, t) -> U.getAndAddLong(c, J, 1), (c, t) -> U.getAndSetLong(c, J, 1), (c, t) -> U.compareAndSwapLong(c, J, t, t + 1));
        writes(Cell::new, (c, t) -> c.o, (c, t) -> U.getAndSetObject(c, O, "b"), (c, t) -> U.compareAndSwapObject(c, O, t == 0 ? null : "b", "b"));
    }
}
