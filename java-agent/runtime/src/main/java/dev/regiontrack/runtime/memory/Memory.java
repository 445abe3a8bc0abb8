package dev.regiontrack.runtime.memory;

import jdk.internal.misc.Unsafe;
import jdk.internal.misc.VM;

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
        array('L', "OBJECT", Object[].class);
        array('Z', "BOOLEAN", boolean[].class);
        array('B', "BYTE", byte[].class);
        array('C', "CHAR", char[].class);
        array('S', "SHORT", short[].class);
        array('I', "INT", int[].class);
        array('F', "FLOAT", float[].class);
        array('J', "LONG", long[].class);
        array('D', "DOUBLE", double[].class);
    }

    private static void array(char type, String name, Class<?> array) {
        ARRAY_SCALE[type] = U.arrayIndexScale(array);
        try {
            ARRAY_BASE[type] = U.arrayBaseOffset(array);
        } catch (NoSuchMethodError e) {
            // Since Java 25 it returns a long.
            ARRAY_BASE[type] = longBase(name);
        }
    }

    /** Reads the base by reflection: of another type, an inlined constant would not link. */
    private static long longBase(String name) {
        try {
            return ((Number) Unsafe.class.getField("ARRAY_" + name + "_BASE_OFFSET").get(null)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Returns the arguments of this JVM; none without an array. */
    public static String[] argumentsOfThisJvm() {
        return VM.getRuntimeArguments();
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
