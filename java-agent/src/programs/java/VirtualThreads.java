import dev.regiontrack.check.Dump;
import java.lang.reflect.Method;

/** Virtual threads, where the JVM has them: forked, joined, and their records. */
public class VirtualThreads {
    static int n;

    public static void main(String[] args) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return;
        }
        Dump.mark("here");
        for (int i = 0; i < 3; i++) {
            n = i;
            Thread t = (Thread) start.invoke(null, (Runnable) () -> n += 10);
            t.join();
        }
        System.out.println(n);
        Dump.print();
    }
}
