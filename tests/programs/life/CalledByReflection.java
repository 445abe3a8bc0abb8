package life;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * After some calls the JDK, up to 17, makes a class for each method that is called by reflection, and for each proxy one at once. These are no
 * part of the program.
 */
public final class CalledByReflection {
    private static int calls;

    private CalledByReflection() {
    }

    static synchronized void call() {
        calls++;
    }

    /** Calls it from two threads. */
    public static void main(String[] arguments) throws Exception {
        Method method = CalledByReflection.class.getDeclaredMethod("call");
        ClassLoader loader = CalledByReflection.class.getClassLoader();
        Runnable proxy = (Runnable) Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (self, called, given) -> {
            callOften(method);
            return null;
        });
        Thread other = new Thread(proxy);
        other.start();
        callOften(method);
        other.join();
        System.out.println(calls);
    }

    private static void callOften(Method method) {
        try {
            for (int i = 0; i < 40; i++) {
                method.invoke(null);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
