package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import schedule.Steps;

/**
 * A handle accesses a static field, of a class that is initialised by that.
 */
public class HandleOfStatic {
    static class Holder {
        static long before;
        static long sum;

        static {
            System.out.println("initialised");
        }
    }

    private static final VarHandle SUM;

    static {
        try {
            SUM = MethodHandles.lookup().findStaticVarHandle(Holder.class, "sum", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // finding: violating.HandleOfStatic.add(long) lost update by get and set
    void add(long n) {
        long seen = (long) SUM.get();
        Steps.done(1);
        Steps.await(2);
        SUM.set(seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        HandleOfStatic p = new HandleOfStatic();
        Steps.run(() -> p.add(1), () -> {
            Steps.await(1);
            Holder.sum = 7;
            Steps.done(2);
        });
        System.out.println(Holder.sum + Holder.before);
    }
}
