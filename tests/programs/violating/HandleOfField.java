package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import schedule.Steps;

/**
 * A handle and a plain write access the same field.
 */
public class HandleOfField {
    private static final VarHandle COUNT;
    private int before;
    private int count;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(HandleOfField.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // finding: violating.HandleOfField.add(int) lost update by get and set
    void add(int n) {
        int seen = (int) COUNT.getVolatile(this);
        Steps.done(1);
        Steps.await(2);
        COUNT.setVolatile(this, seen + n);
    }

    public static void main(String[] args) throws InterruptedException {
        HandleOfField p = new HandleOfField();
        Steps.run(() -> p.add(1), () -> {
            Steps.await(1);
            p.count = 7;
            Steps.done(2);
        });
        System.out.println(p.count + p.before);
    }
}
