package advised;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;

/** Prints which of its arguments, {@code class.method} without the package, are no public methods of this JDK. */
public class Methods {
    private static final String[] PACKAGES = {"java.util.", "java.util.concurrent.", "java.util.concurrent.atomic.", "java.lang.invoke.", "sun.misc."};
    private static final String NUMBER = "VarHandle of a number";

    private static int number;
    private static String reference;

    public static void main(String[] names) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle ofNumber = lookup.findStaticVarHandle(Methods.class, "number", int.class);
        VarHandle ofReference = lookup.findStaticVarHandle(Methods.class, "reference", String.class);
        for (String name : names) {
            int dot = name.lastIndexOf('.');
            String type = name.substring(0, dot);
            String method = name.substring(dot + 1);
            boolean isOfNumber = type.equals(NUMBER);
            if (!has(find(isOfNumber ? "VarHandle" : type), method)) {
                System.out.println("no method: " + name);
            } else if (isOfNumber || type.equals("VarHandle")) {
                VarHandle.AccessMode mode = VarHandle.AccessMode.valueFromMethodName(method);
                if (!(isOfNumber ? ofNumber : ofReference).isAccessModeSupported(mode)) {
                    System.out.println("not supported: " + name);
                }
            }
        }
    }

    private static Class<?> find(String name) throws ClassNotFoundException {
        for (String prefix : PACKAGES) {
            try {
                return Class.forName(prefix + name, false, null);
            } catch (ClassNotFoundException e) {
                // It is in another package.
            }
        }
        return Class.forName("sun.misc." + name);
    }

    private static boolean has(Class<?> type, String name) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
