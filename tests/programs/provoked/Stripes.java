package provoked;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A loop takes a lock, calls and gives the lock up: the call of each round is the first and the last place in one line, and comes before the place at which
 * the thread can be held.
 */
public final class Stripes {
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Object[] stripes = {new Object(), new Object()};

    int claim() {
        int claimed = 0;
        for (Object stripe : stripes) {
            synchronized (stripe) {
                claimed += names.add("a") ? 1 : 0;
            }
        }
        return claimed;
    }

    void release() {
        synchronized (stripes[0]) {
            names.remove("a");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Stripes stripes = new Stripes();
        Thread claims = new Thread(stripes::claim);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 1_000; i++) {
                Places.work();
            }
            stripes.release();
        });
        claims.start();
        other.start();
        claims.join();
        other.join();
        System.out.println("done");
    }
}
