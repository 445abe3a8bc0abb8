package modelled;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * More keys that two threads use than get a name.
 */
public class ManyKeys {
    private static final int MOST = 40_000;

    private final Map<Integer, Integer> one = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> other = new ConcurrentHashMap<>();

    void fill(int value) {
        for (int i = 0; i < MOST; i++) {
            one.put(i, value);
            other.put(i, value);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ManyKeys keys = new ManyKeys();
        keys.fill(1);
        Thread thread = new Thread(() -> keys.fill(2));
        thread.start();
        thread.join();
        System.out.println(keys.one.get(MOST - 1) + keys.other.get(0));
    }
}
