package life;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** A private field that its class writes in the constructor alone, and another class only reads, by a handle and by its offset. */
public class UnsafeReadsElsewhere {
    public static void main(String[] args) throws ReflectiveOperationException {
        String name = "val" + "ue".concat("");
        VarHandle handle = MethodHandles.privateLookupIn(Constant.class, MethodHandles.lookup()).findVarHandle(Constant.class, name, int.class);
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        Constant constant = new Constant();
        int value = unsafe.getInt(constant, unsafe.objectFieldOffset(Constant.class.getDeclaredField(name)));
        System.out.println("value " + (value == (int) handle.getVolatile(constant) ? constant.value() : 0));
    }
}
