package rare;

import java.util.HashMap;
import java.util.Map;

/** A key that is looked for and then put in, by two methods of another class, each of which has the lock. */
public final class Registry {
    private final Map<String, Integer> map = new HashMap<>();
    private int replaced;

    synchronized boolean has(String key) {
        return map.containsKey(key);
    }

    synchronized void add(String key) {
        if (map.put(key, 1) != null) {
            replaced++;
        }
    }

    synchronized void addIfAbsent(String key) {
        if (!has(key)) {
            add(key);
        }
    }

    public static final class Wrong extends Pair {
        private final Registry registry = new Registry();

        @Override
        public void one() {
            if (!registry.has("k")) {
                registry.add("k");
            }
        }

        @Override
        public boolean isRight() {
            return registry.replaced == 0;
        }
    }

    public static final class Right extends Pair {
        private final Registry registry = new Registry();

        @Override
        public void one() {
            registry.addIfAbsent("k");
        }

        @Override
        public boolean isRight() {
            return registry.replaced == 0;
        }
    }
}
