package violating;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import schedule.Steps;

/**
 * A handle and a plain write access the same element of an array.
 */
public class HandleOfElement {
    private static final VarHandle NAMES = MethodHandles.arrayElementVarHandle(String[].class);
    private final String[] names = new String[40];

    // finding: violating.HandleOfElement.fill(int,java.lang.String) lost update by get and set
    void fill(int at, String name) {
        if (NAMES.getAcquire(names, at) == null) {
            Steps.done(1);
            Steps.await(2);
            NAMES.setRelease(names, at, name);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        HandleOfElement p = new HandleOfElement();
        Steps.run(() -> p.fill(35, "first"), () -> {
            Steps.await(1);
            p.names[35] = "second";
            Steps.done(2);
        });
        System.out.println(p.names[35]);
    }
}
