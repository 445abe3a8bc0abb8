package dev.regiontrack.runtime.steering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A sleep after which the thread is as before. {@code LockSupport.parkNanos} would not do: it takes a permit that another thread gives meanwhile, and nobody can tell
 * afterwards whether there was one. The program would wait for it forever, or would be given one that nobody gave.
 */
final class Pause {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** {@code Thread.interrupt}, past an override of the program's; null if this platform does not let it be called so. */
    private static MethodHandle interrupt;

    private Pause() {
    }

    /** Looks for what it needs of the platform. */
    static void find() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            interrupt = lookup.findSpecial(Thread.class, "interrupt", MethodType.methodType(void.class), Thread.class);
            link();
        } catch (ReflectiveOperationException e) {
            interrupt = null;
        }
    }

    /** Links the call now, and not while the program holds its locks. */
    private static void link() {
        try {
            interruptAgain(null);
        } catch (NullPointerException e) {
            // Nobody was interrupted.
        }
    }

    /**
     * Sleeps for so many nanoseconds; before Java 21 at least for a millisecond. False if the thread was interrupted, before or meanwhile; it still is. A virtual thread has a permit
     * afterwards, as after any sleep of one.
     */
    static boolean sleep(long nanos) {
        try {
            Thread.sleep(nanos / NANOS_PER_MILLI, (int) (nanos % NANOS_PER_MILLI));
            return true;
        } catch (InterruptedException e) {
            interruptAgain(Thread.currentThread());
            return false;
        }
    }

    private static void interruptAgain(Thread thread) {
        if (interrupt == null || thread != null && Others.isVirtual(thread)) {
            thread.interrupt();
            return;
        }
        try {
            interrupt.invokeExact(thread);
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
