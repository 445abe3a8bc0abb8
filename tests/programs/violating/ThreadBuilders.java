package violating;

import java.lang.reflect.Method;
import schedule.Steps;

/**
 * A thread of a builder is one like any other, for a virtual thread and for one of the platform; and code with a scoped value is code like any other. On
 * JVMs without them, a thread's constructor, and a thread-local value.
 */
public class ThreadBuilders {
    private static final ThreadLocal<String> NAME = new ThreadLocal<>();
    private int value;

    // waits inside: violating.ThreadBuilders.starts(java.lang.String)
    int starts(String kind) throws Exception {
        value++;
        Thread thread = thread(kind, () -> value++);
        thread.start();
        thread.join();
        return value;
    }

    // finding: violating.ThreadBuilders.looksTwice() unrepeatable read
    boolean looksTwice() {
        int seen = value;
        Steps.done(1);
        Steps.await(2);
        return seen == value;
    }

    private void set(int to) {
        value = to;
    }

    private static Thread thread(String kind, Runnable task) throws ReflectiveOperationException {
        try {
            Object builder = Thread.class.getMethod(kind).invoke(null);
            Method unstarted = Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
            return (Thread) unstarted.invoke(builder, task);
        } catch (NoSuchMethodException e) {
            return new Thread(task);
        }
    }

    // finding: violating.ThreadBuilders.scoped(java.lang.Runnable) unrepeatable read
    private static void scoped(Runnable what) {
        try {
            Class<?> type = Class.forName("java.lang.ScopedValue");
            Object key = type.getMethod("newInstance").invoke(null);
            Object carrier = type.getMethod("where", type, Object.class).invoke(null, key, "name");
            carrier.getClass().getMethod("run", Runnable.class).invoke(carrier, what);
        } catch (ReflectiveOperationException e) {
            NAME.set("name");
            what.run();
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadBuilders p = new ThreadBuilders();
        System.out.println(p.starts("ofVirtual") + " " + p.starts("ofPlatform"));
        Steps.run(() -> scoped(() -> System.out.println(p.looksTwice())), () -> {
            Steps.await(1);
            p.set(9);
            Steps.done(2);
        });
    }
}
