package dev.regiontrack.runtime.steering;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A sleep that leaves the thread's state as it was. {@code LockSupport.parkNanos} would take a permit that another thread gives meanwhile, and
 * afterwards it is unknown whether there was one. The program would wait for it forever, or would get one that nobody gave.
 */
final class Pause {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** {@code Thread.interrupt}, bypassing an override of the program's; null if this platform does not allow such calls. */
    private static MethodHandle interrupt;

    private Pause() {
    }

    /** Finds the platform's method. */
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
            // No thread was interrupted.
        }
    }

    /**
     * Sleeps for {@code nanos}; before Java 21 at least for a millisecond. Returns false if the thread was interrupted, before or meanwhile; it stays
     * interrupted. A virtual thread has a permit afterwards, as after any of its sleeps.
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
