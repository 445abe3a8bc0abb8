package provoked;

/**
 * Two adapters that refer to each other: the one is known to others before the one that it refers to is complete. They get it from a class that is to be left out of the
 * run. So no other thread can come right after the first place of the block; before the last one it can.
 */
public final class Unfinished {
    private final Shelf shelf = new Shelf();

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
        private Adapter to;
    }

    void make() {
        Adapter outer = new Adapter();
        Adapter inner = new Adapter();
        inner.to = outer;
        shelf.put(inner);
        Places.work();
        outer.to = inner;
    }

    void use() {
        Adapter inner = (Adapter) shelf.get();
        if (inner != null && inner.to.to == null) {
            throw new IllegalStateException("not complete");
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
            all[i] = new Unfinished();
        }
        // If it happens once, the one thread makes them and the other one comes late.
        boolean isOnce = all.length == 1;
        Places.together(() -> {
            if (!isOnce) {
                // Nobody uses these.
                new Unfinished().make();
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
