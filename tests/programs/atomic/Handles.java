package atomic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import schedule.Steps;

/**
 * One operation of a handle is atomic; an exchange that fails reads; views of bytes are no elements.
 */
public class Handles {
    private static final VarHandle COUNT;
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle BYTES = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private int count;
    private int other;
    private final int[] elements = new int[2];
    private final byte[] bytes = new byte[8];

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Handles.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    boolean twice() {
        boolean first = COUNT.compareAndSet(this, 7, 8);
        int seen = (int) ELEMENTS.getAndAdd(elements, 0, 2);
        BYTES.set(bytes, 0, seen);
        Steps.done(1);
        Steps.await(2);
        return first | COUNT.weakCompareAndSetPlain(this, 7, 9);
    }

    int fail() {
        try {
            return (int) ELEMENTS.getVolatile(elements, 2);
        } catch (IndexOutOfBoundsException e) {
            return (int) COUNT.getOpaque(this);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Handles p = new Handles();
        Steps.run(p::twice, () -> {
            Steps.await(1);
            p.other++;
            p.fail();
            COUNT.compareAndSet(p, 7, 10);
            ELEMENTS.getAndBitwiseOr(p.elements, 1, 2);
            Steps.done(2);
        });
        System.out.println(p.count + p.other + p.elements[0]);
    }
}
