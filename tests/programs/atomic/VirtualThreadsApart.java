package atomic;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks in threads of their own, virtual ones where the JVM has them: each comes after its submission and before its result.
 */
public class VirtualThreadsApart {
    private int value;

    int add(int n) {
        value += n;
        return value;
    }

    private static ExecutorService executor() throws ReflectiveOperationException {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newCachedThreadPool();
        }
    }

    public static void main(String[] args) throws Exception {
        VirtualThreadsApart p = new VirtualThreadsApart();
        ExecutorService executor = executor();
        for (int i = 0; i < 20; i++) {
            p.add(1);
            Future<Integer> task = executor.submit(() -> p.add(2));
            task.get();
        }
        System.out.println(p.add(0));
        executor.shutdown();
    }
}
