package life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A private field that its class writes in the constructor alone, and another class by a handle. */
public class HandleFromElsewhere {
    public static void main(String[] args) throws ReflectiveOperationException {
        String name = "val" + "ue".concat("");
        VarHandle handle = MethodHandles.privateLookupIn(Constant.class, MethodHandles.lookup()).findVarHandle(Constant.class, name, int.class);
        Constant constant = new Constant();
        handle.set(constant, 2);
        System.out.println("value " + constant.value());
    }
}

final class Constant {
    private int value;

    Constant() {
        value = 1;
    }

    int value() {
        return value;
    }
}
