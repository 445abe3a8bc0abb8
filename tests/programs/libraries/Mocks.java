package libraries;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import schedule.Steps;

/** Mocks of classes of the JDK, among them classes that the agent's hooks use, and mocks of the program's own classes, one of them in a method that is violated. */
public class Mocks {
    private final Map<String, Integer> known = new ConcurrentHashMap<>();
    private final Shop shop = mock(Shop.class);

    /** A final class: Mockito changes its code. */
    static final class Shop {
        private int asked;

        int price(String item) {
            return item.length() + asked++;
        }
    }

    enum Colour {
        RED, GREEN;

        int number() {
            return ordinal();
        }
    }

    // finding: libraries.Mocks.order(java.lang.String) stale check-then-act on a collection
    private void order(String item) {
        if (!known.containsKey(item)) {
            Steps.done(1);
            Steps.await(2);
            known.put(item, shop.price(item));
        }
    }

    private static void mockTheJdk() {
        // First, because hooks that call Mockito overflow the stack here; with the others they can call it forever.
        HashMap<String, Integer> map = mock();
        when(map.get("tea")).thenReturn(42);
        System.out.println("HashMap " + map.get("tea") + ' ' + map.get("milk") + ' ' + map.size());

        Thread thread = mock(Thread.class);
        when(thread.getPriority()).thenReturn(42);
        System.out.println("thread " + thread.getPriority() + ' ' + thread.isAlive());

        Colour colour = mock(Colour.class);
        when(colour.number()).thenReturn(42);
        System.out.println("enum " + colour.number() + ' ' + Colour.GREEN.number());

        ConcurrentHashMap<String, Integer> shared = mock();
        when(shared.get("tea")).thenReturn(42);
        shared.put("milk", 1);
        System.out.println("ConcurrentHashMap " + shared.get("tea") + ' ' + shared.get("milk"));

        ClassLoader loader = mock(ClassLoader.class);
        when(loader.getName()).thenReturn("forty-two");
        System.out.println("loader " + loader.getName() + ' ' + loader.getResource("tea"));
    }

    public static void main(String[] arguments) throws InterruptedException {
        mockTheJdk();
        Mocks mocks = new Mocks();
        when(mocks.shop.price("tea")).thenReturn(42);
        Steps.run(() -> mocks.order("tea"), () -> {
            Steps.await(1);
            mocks.known.put("tea", 1);
            Steps.done(2);
        });
        System.out.println("price " + mocks.known.get("tea") + ' ' + new Shop().price("tea"));
    }
}
