package atomic;

import java.lang.reflect.Method;
import schedule.Steps;

/**
 * What a thread of a builder does comes after what was done before its start, and before what is done after its join; a scoped value is what each
 * thread has bound to it. On JVMs without them, a thread's constructor, and a thread-local value.
 */
public class ThreadBuilders {
    private static final ThreadLocal<int[]> NUMBER = new ThreadLocal<>();
    private int value;

    int add(int n) {
        value += n;
        return value;
    }

    static int twice(int[] own) {
        own[0]++;
        Steps.done(1);
        Steps.await(2);
        return ++own[0];
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

    private static void scoped(int[] number, Runnable what) {
        try {
            Class<?> type = Class.forName("java.lang.ScopedValue");
            Object key = type.getMethod("newInstance").invoke(null);
            Object carrier = type.getMethod("where", type, Object.class).invoke(null, key, number);
            carrier.getClass().getMethod("run", Runnable.class).invoke(carrier, what);
        } catch (ReflectiveOperationException e) {
            NUMBER.set(number);
            what.run();
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadBuilders p = new ThreadBuilders();
        p.add(1);
        for (String kind : new String[] {"ofVirtual", "ofPlatform"}) {
            Thread thread = thread(kind, () -> p.add(2));
            thread.start();
            thread.join();
        }
        System.out.println(p.add(4));
        int[] first = new int[1];
        int[] second = new int[1];
        Steps.run(() -> scoped(first, () -> System.out.println(twice(first))), () -> {
            Steps.await(1);
            scoped(second, () -> second[0]++);
            Steps.done(2);
        });
    }
}
