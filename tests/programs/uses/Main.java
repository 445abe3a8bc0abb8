package uses;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Random;
import modelled.LoadingLoader;
import schedule.Threads;

/**
 * Small uses of the library, each in forced orders: a method whose name says whether it is violated. With a seed they come in another order, and between them classes
 * of the platform are loaded that {@link LoadingLoader} has left. It prints their names.
 */
public final class Main {
    private static final String[] KINDS = {"Lists", "Nothings", "Maps", "Entries", "Caches", "KeyedMaps", "Sets", "Buffers", "Atomics", "UnsafeUses", "Locks", "Queues", "Deques", "Tasks", "Futures", "Meetings"};
    /** So many are asked for. */
    private static final int NEWCOMERS = 4;

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Threads.start(NEWCOMERS);
        List<Method> uses = new ArrayList<>();
        for (String kind : KINDS) {
            for (Method method : Class.forName("uses." + kind).getDeclaredMethods()) {
                if (method.getName().endsWith("IsViolated") || method.getName().endsWith("IsAtomic")) {
                    uses.add(method);
                }
            }
        }
        uses.sort(Comparator.comparing(Method::toString));
        Long seed = Long.getLong("seed");
        if (seed != null) {
            Collections.shuffle(uses, new Random(seed));
        }
        for (Method use : uses) {
            Object object = use.getDeclaringClass().getDeclaredConstructor().newInstance();
            try {
                use.invoke(object);
            } catch (InvocationTargetException e) {
                // One is about what a step of an iterator throws.
                if (!(e.getCause() instanceof ConcurrentModificationException)) {
                    throw e;
                }
            }
            if (seed != null) {
                LoadingLoader.loadSome();
            }
            System.out.println(use.getDeclaringClass().getName() + "." + use.getName());
        }
    }
}
