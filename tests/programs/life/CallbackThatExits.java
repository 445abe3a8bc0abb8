package life;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;

/**
 * The VM exits in a lambda that a map calls, with the map's own lock held, for which another thread waits; a shutdown hook uses the same
 * map.
 */
public class CallbackThatExits {
    private static final ConcurrentMap<String, Integer> MAP = new ConcurrentHashMap<>(64);

    public static void main(String[] args) throws InterruptedException {
        MAP.put("a", 1);
        CountDownLatch isInside = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("hook sees " + MAP.get("a"));
            MAP.merge("b", 1, Integer::sum);
        }));
        Thread exiting = new Thread(() -> MAP.compute("a", (k, v) -> {
            isInside.countDown();
            System.exit(v + 6);
            return v;
        }), "exiting");
        Thread waiting = new Thread(() -> {
            try {
                isInside.await();
                MAP.compute("a", (k, v) -> v + 1);
                System.out.println("never");
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        }, "waiting");
        waiting.start();
        exiting.start();
        exiting.join();
    }
}
