package dev.regiontrack.runtime;

/**
 * The stack of threads that the program starts: where it has set no size, a multiple of the JVM's own, since a call with hooks takes more. Only
 * addresses are reserved; memory is taken as the stack is used.
 *
 * <p>The size is in a field that the JVM reads as it starts the thread. A JVM without that field gives the threads its own size.
 */
public final class StackSize {
    private static final String FIELD = "stackSize";
    /** From Java 19 on, what virtual threads have no use for is in an object of its own. */
    private static final long HOLDER = offset(Thread.class, "holder");
    private static final long OFFSET = HOLDER < 0 ? offset(Thread.class, FIELD) : offset(holder(), FIELD);
    private static long larger;

    private StackSize() {
    }

    /** Threads without a size of their own get this many bytes from now on. */
    public static void set(long bytes) {
        larger = bytes;
    }

    /** Before a thread is started. */
    static void raise(Thread thread) {
        Object holder = HOLDER < 0 ? thread : Refs.get(thread, HOLDER);
        if (OFFSET >= 0 && larger > 0 && holder != null && Memory.U.getLong(holder, OFFSET) == 0) {
            Memory.U.putLong(holder, OFFSET, larger);
        }
    }

    private static long offset(Class<?> type, String field) {
        try {
            return type == null ? -1 : Memory.U.objectFieldOffset(type, field);
        } catch (InternalError e) {
            return -1;
        }
    }

    private static Class<?> holder() {
        try {
            return Class.forName("java.lang.Thread$FieldHolder", false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
