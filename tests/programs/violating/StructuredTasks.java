package violating;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A method forks a task in a scope of structured concurrency, and joins it; on JVMs without such scopes it gives it to an executor.
 */
public class StructuredTasks {
    private int start;

    // waits inside: violating.StructuredTasks.all(java.lang.Class)
    int all(Class<?> scopes) throws Exception {
        start = 3;
        Callable<Integer> task = () -> start + 1;
        if (scopes == null) {
            ExecutorService pool = Executors.newFixedThreadPool(1);
            int result = pool.submit(task).get();
            pool.shutdown();
            return result;
        }
        // In Java 21 it is a class, in Java 25 an interface.
        try (AutoCloseable scope = (AutoCloseable) (scopes.isInterface() ? scopes.getMethod("open").invoke(null) : scopes.getConstructor().newInstance())) {
            Object fork = scopes.getMethod("fork", Callable.class).invoke(scope, task);
            scopes.getMethod("join").invoke(scope);
            return (Integer) Class.forName("java.util.concurrent.StructuredTaskScope$Subtask").getMethod("get").invoke(fork);
        }
    }

    private static Class<?> scopes() {
        try {
            return Runtime.version().feature() < 21 ? null : Class.forName("java.util.concurrent.StructuredTaskScope");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(new StructuredTasks().all(scopes()));
    }
}
