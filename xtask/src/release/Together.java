import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Two threads ask whether a key is there and put it, the second one always while the first is at it. Says what is found. */
public final class Together {
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    private void add(Runnable meanwhile) {
        if (!known.containsKey("key")) {
            meanwhile.run();
            known.put("key", 1);
        }
    }

    /** What a release is tried with. */
    public static void main(String[] arguments) throws InterruptedException {
        Together together = new Together();
        CountDownLatch isAtIt = new CountDownLatch(1);
        Thread second = new Thread(() -> {
            try {
                isAtIt.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            together.add(() -> { });
        });
        second.start();
        together.add(() -> {
            isAtIt.countDown();
            while (second.isAlive()) {
                Thread.onSpinWait();
            }
        });
        second.join();
        System.out.println(together.known);
    }
}
