package modelled;

import schedule.Steps;

/**
 * A library of the program's own, whose code is not watched: only a table says what its calls do.
 */
public class OwnRegistry {
    /** The library. */
    static final class Registry {
        private final Object[] names = new Object[8];

        synchronized Object lookup(int slot, String reason) {
            return names[slot];
        }

        synchronized Object register(Integer slot, Object name) {
            Object old = names[slot];
            names[slot] = old == null ? name : old;
            return old;
        }
    }

    private final Registry registry = new Registry();

    Object twice() {
        Object first = registry.lookup(3, "first");
        Steps.done(1);
        Steps.await(2);
        return first == null ? registry.lookup(3, "second") : first;
    }

    public static void main(String[] args) throws InterruptedException {
        OwnRegistry registry = new OwnRegistry();
        Steps.run(() -> System.out.println(registry.twice()), () -> {
            Steps.await(1);
            registry.registry.register(3, "three");
            registry.registry.register(3, "four");
            Steps.done(2);
        });
    }
}
