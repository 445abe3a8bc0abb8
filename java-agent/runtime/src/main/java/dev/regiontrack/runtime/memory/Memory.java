package dev.regiontrack.runtime.memory;

import jdk.internal.misc.Unsafe;

/** The internal Unsafe, and its differences between JVMs. */
public final class Memory {
    public static final Unsafe U = Unsafe.getUnsafe();
    /** Offset of a word's low half. */
    public static final int LOW = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? 0 : 4;
    private static final long[] ARRAY_BASE = new long[128];
    private static final int[] ARRAY_SCALE = new int[128];

    private Memory() {
    }

    static {
        array('L', "OBJECT", Unsafe.ARRAY_OBJECT_INDEX_SCALE, Object[].class);
        array('Z', "BOOLEAN", 1, boolean[].class);
        array('B', "BYTE", 1, byte[].class);
        array('C', "CHAR", 2, char[].class);
        array('S', "SHORT", 2, short[].class);
        array('I', "INT", 4, int[].class);
        array('F', "FLOAT", 4, float[].class);
        array('J', "LONG", 8, long[].class);
        array('D', "DOUBLE", 8, double[].class);
    }

    /** Reads the bases by reflection: they became long in a later JVM, where an inlined constant of the older type would not link. */
    private static void array(char type, String name, int scale, Class<?> array) {
        try {
            Number base = (Number) Unsafe.class.getField("ARRAY_" + name + "_BASE_OFFSET").get(null);
            ARRAY_BASE[type] = base.longValue();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        ARRAY_SCALE[type] = U.arrayIndexScale(array);
    }

    /** Loads and initialises classes. */
    public static void load(Class<?>... classes) {
        for (Class<?> c : classes) {
            U.ensureClassInitialized(c);
        }
    }

    /** Returns the offset of an element. */
    public static long element(char type, int index) {
        return ARRAY_BASE[type] + (long) ARRAY_SCALE[type] * index;
    }

    /** Returns the type of an array's elements, by its letter. */
    public static char typeOf(Object array) {
        Class<?> type = array.getClass();
        if (type.getComponentType().isPrimitive()) {
            return type == int[].class ? 'I' : type == byte[].class ? 'B' : type == char[].class ? 'C' : type == double[].class ? 'D'
                : type == long[].class ? 'J' : type == boolean[].class ? 'Z' : type == float[].class ? 'F' : 'S';
        }
        return 'L';
    }

    /** Reads an integral value of at most 32 bits, as on the operand stack. */
    public static int getInt(Object o, long offset, char type) {
        switch (type) {
            case 'Z': case 'B': return U.getByte(o, offset);
            case 'C': return U.getChar(o, offset);
            case 'S': return U.getShort(o, offset);
            default: return U.getInt(o, offset);
        }
    }

    /** Reads a reference; all have one type. */
    public static Object getReference(Object o, long offset, char type) {
        return Refs.get(o, offset);
    }

    // ---- values as raw bits, for probes

    public static long bits(Object o, long offset, char type) {
        switch (type) {
            case 'J': case 'D': return U.getLong(o, offset);
            case 'L': case '[': return bits(Refs.get(o, offset));
            default: return getInt(o, offset, type);
        }
    }

    /** Returns the number of a boxed long, or else the identity hash. */
    public static long bits(Object value) {
        return value instanceof Long ? (Long) value : System.identityHashCode(value);
    }

    public static long bits(int value) {
        return value;
    }

    public static long bits(long value) {
        return value;
    }

    public static long bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    public static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    public static long toLong(long bits) {
        return bits;
    }

    public static float toFloat(long bits) {
        return Float.intBitsToFloat((int) bits);
    }

    public static double toDouble(long bits) {
        return Double.longBitsToDouble(bits);
    }
}
