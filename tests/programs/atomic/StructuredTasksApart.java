package atomic;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Tasks of a scope of structured concurrency each of which is one short method; on JVMs without such scopes, of an executor.
 */
public class StructuredTasksApart {
    private int count;

    synchronized int next() {
        return ++count;
    }

    public static void main(String[] args) throws Exception {
        StructuredTasksApart p = new StructuredTasksApart();
        p.next();
        Callable<Integer> task = p::next;
        Class<?> scopes = null;
        try {
            scopes = Runtime.version().feature() < 21 ? null : Class.forName("java.util.concurrent.StructuredTaskScope");
        } catch (ClassNotFoundException e) {
            System.err.println(e);
        }
        if (scopes == null) {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            pool.submit(task).get();
            pool.submit(task).get();
            pool.shutdown();
        } else {
            try (AutoCloseable scope = (AutoCloseable) (scopes.isInterface() ? scopes.getMethod("open").invoke(null) : scopes.getConstructor().newInstance())) {
                scopes.getMethod("fork", Callable.class).invoke(scope, task);
                scopes.getMethod("fork", Callable.class).invoke(scope, task);
                scopes.getMethod("join").invoke(scope);
            }
        }
        System.out.println(p.next());
    }
}
