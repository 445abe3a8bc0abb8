package violating;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import schedule.Steps;

/**
 * A virtual thread is a thread, and the executor that starts one for each task hands the task over; on JVMs without them any
 * other executor does.
 */
public class VirtualThreads {
    private int count;

    // finding: violating.VirtualThreads.add(int) lost update
    int add(int n) {
        int seen = count;
        Steps.done(1);
        Steps.await(2);
        count = seen + n;
        return count;
    }

    private void write(int n) {
        count = n;
    }

    private static ExecutorService executor() throws ReflectiveOperationException {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException e) {
            return Executors.newCachedThreadPool();
        }
    }

    // waits inside: violating.VirtualThreads.submitted(java.util.concurrent.ExecutorService)
    int submitted(ExecutorService executor) throws Exception {
        return executor.submit(() -> 4).get();
    }

    public static void main(String[] args) throws Exception {
        VirtualThreads p = new VirtualThreads();
        ExecutorService executor = executor();
        Thread other = new Thread(() -> {
            Steps.await(1);
            p.write(7);
            Steps.done(2);
        }, "other");
        other.start();
        System.out.println(executor.submit(() -> p.add(1)).get());
        other.join();
        System.out.println(p.submitted(executor));
        executor.shutdown();
    }
}
