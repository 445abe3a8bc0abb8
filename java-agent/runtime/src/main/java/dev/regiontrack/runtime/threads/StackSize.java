package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.memory.Refs;
import jdk.internal.vm.annotation.DontInline;

/**
 * The stack size of threads that the program starts without a size: a multiple of the JVM's default, because a call with hooks needs
 * more. This only reserves addresses; memory is committed when the stack is used.
 *
 * <p>The size is in a field that the JVM reads when it starts the thread. On a JVM without that field threads keep the default size.
 */
public final class StackSize {
    private static final String FIELD = "stackSize";
    /** From Java 19 on, the fields that virtual threads do not need are in a separate object. */
    private static final long HOLDER = offset(Thread.class, "holder");
    private static final long OFFSET = HOLDER < 0 ? offset(Thread.class, FIELD) : offset(holder(), FIELD);
    private static long larger;

    private StackSize() {
    }

    /** Sets the size of threads without one, in bytes. */
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

    /**
     * Whether there is room for one-time work, which needs deeper calls than a hook: if the stack overflowed in a class's initialiser, the class
     * would be unusable, for the program too.
     */
    public static boolean hasRoom() {
        try {
            return deep(1000, 1) > 0;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    @DontInline
    private static long deep(int calls, long n) {
        return calls == 0 ? n : deep(calls - 1, n + calls) + 1;
    }
}
