import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Asks a shop for prices and remembers them, for two customers at once: both can ask. */
public class Prices {
    static final Map<String, Integer> KNOWN = new ConcurrentHashMap<>();

    static int price(String item) throws InterruptedException {
        if (!KNOWN.containsKey(item)) {
            KNOWN.put(item, ask(item));
        }
        return KNOWN.get(item);
    }

    /** A shop that takes its time, and raises its prices. */
    static int ask(String item) throws InterruptedException {
        Thread.sleep(200);
        return (int) (System.nanoTime() % 100);
    }

    public static void main(String[] args) throws InterruptedException {
        ExecutorService other = Executors.newSingleThreadExecutor();
        other.submit(() -> price("tea"));
        Thread.sleep(100);
        price("tea");
        other.shutdown();
    }
}
