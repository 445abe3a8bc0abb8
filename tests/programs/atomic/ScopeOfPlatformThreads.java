package atomic;

import java.util.concurrent.Callable;
import schedule.Scopes;

/**
 * Tasks in threads of the platform, of a scope of structured concurrency, each of which is one short method; what a scoped value is for a thread is not shared, and
 * gives nothing to order.
 */
public class ScopeOfPlatformThreads {
    private int count;

    synchronized int next() {
        return ++count;
    }

    /** What is bound to a scoped value, which is 7; the same where there are none. */
    int bound() throws Exception {
        if (Runtime.version().feature() < 25) {
            return 7;
        }
        Class<?> values = Class.forName("java.lang.ScopedValue");
        Object value = values.getMethod("newInstance").invoke(null);
        Object bound = values.getMethod("where", values, Object.class).invoke(null, value, 7);
        int[] seen = new int[1];
        Runnable look = () -> {
            try {
                seen[0] = (Integer) values.getMethod("get").invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        };
        Class.forName("java.lang.ScopedValue$Carrier").getMethod("run", Runnable.class).invoke(bound, look);
        return seen[0];
    }

    public static void main(String[] args) throws Exception {
        ScopeOfPlatformThreads p = new ScopeOfPlatformThreads();
        Callable<Integer> task = p::next;
        Callable<Integer> other = () -> p.bound();
        Scopes.inPlatformThreads(task, other);
        System.out.println(p.next() + " " + p.bound());
    }
}
