package subjects5;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import shared.Counter;
import shared.Race;

/** Four tests at once: none ends before the others have got as far. The pool's threads belong to none of them. */
@Execution(ExecutionMode.CONCURRENT)
class ParallelTest {
    private static final ExecutorService POOL = Executors.newFixedThreadPool(4);
    private static final AtomicBoolean[] ARE_HERE = new AtomicBoolean[4];

    static {
        for (int i = 0; i < ARE_HERE.length; i++) {
            ARE_HERE[i] = new AtomicBoolean();
        }
    }

    /** One of the tests is here, and waits for all. */
    private static void meet(int which) {
        ARE_HERE[which].set(true);
        for (AtomicBoolean other : ARE_HERE) {
            Race.await(other);
        }
    }

    @Test
    void plantedInThread() throws Exception {
        Counter counter = Counter.raced();
        meet(0);
        Thread thread = new Thread(counter::increment);
        thread.start();
        thread.join();
    }

    @Test
    void plantedInTask() throws Exception {
        Counter counter = Counter.raced();
        meet(1);
        POOL.submit(counter::increment).get();
    }

    @Test
    void plantedInFuture() {
        Counter counter = Counter.raced();
        meet(2);
        CompletableFuture.runAsync(counter::increment, POOL).join();
    }

    @Test
    void fixedInTask() throws Exception {
        Counter counter = Counter.raced();
        meet(3);
        POOL.submit(counter::fixed).get();
    }

    @AfterAll
    static void end() {
        POOL.shutdown();
    }
}
