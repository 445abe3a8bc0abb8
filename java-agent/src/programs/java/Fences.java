import dev.regiontrack.check.Dump;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Empties store buffers in every way, then prints the records of each thread. */
public class Fences {
    static int plain;
    static int other;
    static volatile int staticFlag;
    static Fences shared;
    static final AtomicInteger COUNT = new AtomicInteger();
    static final AtomicReference<String> TEXT = new AtomicReference<>();
    static final VarHandle PLAIN;

    static {
        try {
            PLAIN = MethodHandles.lookup().findStaticVarHandle(Fences.class, "plain", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    volatile int flag;
    volatile long wide;

    /** A temporary that leaves nowhere. */
    static class Own {
        volatile int value;

        int sum() {
            value = 1;
            return value + 1;
        }
    }

    static void own() {
        Own own = new Own();
        own.value = 2;
        own.value = 3;
    }

    public static void main(String[] args) throws Exception {
        shared = new Fences();
        Fences f = shared;
        Dump.mark("plain");
        plain = 1;
        Dump.mark("volatile, and again: not redundant");
        f.flag = 1;
        f.flag = 2;
        f.wide = 3;
        staticFlag = 4;
        Dump.mark("a read of it is no fence");
        plain = f.flag;
        Dump.mark("calls: one fence for a write");
        COUNT.incrementAndGet();
        COUNT.incrementAndGet();
        plain = 1;
        TEXT.compareAndSet("a", "b");
        plain = 1;
        boolean isSame = PLAIN.compareAndSet(7, 8);
        plain = 1;
        VarHandle.fullFence();
        Dump.mark("calls that are none");
        plain = 1;
        COUNT.get();
        COUNT.lazySet(1);
        VarHandle.releaseFence();
        Dump.mark("a monitor, instead");
        synchronized (f) {
            COUNT.incrementAndGet();
            plain = isSame ? 1 : 2;
        }
        COUNT.incrementAndGet();
        Dump.mark("an object that leaves nowhere");
        own();
        Dump.mark("fork, end, join");
        plain = 1;
        Thread t = new Thread(() -> {
            COUNT.incrementAndGet();
            plain = 5;
        });
        t.start();
        COUNT.incrementAndGet();
        t.join();
        COUNT.incrementAndGet();
        Dump.mark("threads without events: a join of one is not in a trace");
        plain = 1;
        // It ends after the other has started, which could have its number if it had ended before.
        Thread idle = new Thread(Dump::hold);
        Thread busy = new Thread(() -> COUNT.incrementAndGet());
        idle.start();
        busy.start();
        other = 1;
        busy.join();
        COUNT.incrementAndGet();
        other = 2;
        Dump.release();
        idle.join();
        Dump.print();
    }
}
