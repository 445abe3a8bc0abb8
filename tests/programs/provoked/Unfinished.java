package provoked;

import java.util.ArrayList;
import java.util.List;

/**
 * Two adapters that refer to each other: the one is known to others before the one that it refers to is complete. They get it from a class that is to be left out of the
 * run. So no other thread can come right after the first place of the block; before the last one it can.
 */
public final class Unfinished {
    private final Shelf shelf = new Shelf();
    /** What makes an adapter complete. */
    private final String kind;

    private Unfinished(String kind) {
        this.kind = kind;
    }

    /** Left out. */
    static final class Shelf {
        private volatile Object known;

        void put(Object adapter) {
            known = adapter;
        }

        Object get() {
            return known;
        }
    }

    private static final class Adapter {
        private final Object[] elements = new Object[1];
        private final List<Object> calls = new ArrayList<>();
        private Adapter field;
        private long number;
        private Adapter to;
    }

    void make() {
        Adapter outer = new Adapter();
        Adapter inner = new Adapter();
        inner.to = outer;
        shelf.put(inner);
        Places.work();
        switch (kind) {
            case "element":
                outer.elements[0] = inner;
                break;
            case "call":
                outer.calls.add(inner);
                break;
            case "number":
                outer.number = 1;
                break;
            default:
                outer.field = inner;
        }
    }

    void use() {
        Adapter inner = (Adapter) shelf.get();
        if (inner != null && !isComplete(inner.to)) {
            throw new IllegalStateException("not complete");
        }
    }

    private boolean isComplete(Adapter adapter) {
        switch (kind) {
            case "element":
                return adapter.elements[0] != null;
            case "call":
                return !adapter.calls.isEmpty();
            case "number":
                return adapter.number != 0;
            default:
                return adapter.field != null;
        }
    }

    /** Who comes first makes them. */
    private void act() {
        if (shelf.get() == null) {
            make();
            return;
        }
        try {
            use();
        } catch (IllegalStateException e) {
            // This is what goes wrong.
        }
    }

    private static void work(int times) {
        for (int i = 0; i < times; i++) {
            Places.work();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Unfinished[] all = new Unfinished[Integer.parseInt(args[0])];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Unfinished(args[1]);
        }
        // If it happens once, the one thread makes them and the other one comes late.
        boolean isOnce = all.length == 1;
        Places.together(() -> {
            if (!isOnce) {
                // Nobody uses these.
                new Unfinished(args[1]).make();
            }
            for (Unfinished adapters : all) {
                work(isOnce ? 0 : 100);
                adapters.act();
            }
        }, () -> {
            for (Unfinished adapters : all) {
                work(isOnce ? 1_000 : 100);
                adapters.act();
            }
        });
    }
}
