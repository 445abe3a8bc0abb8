package schedule;

import java.util.function.Function;
import java.util.function.Supplier;

/** What a method calls first and second, and what another thread calls between, each on an object that is new. Like everything in this package it makes no events. */
public final class Case<T> {
    private final Supplier<T> make;
    private final Function<T, Object> first;
    private final Function<T, Object> between;
    private final Function<T, Object> second;
    private T object;

    public Case(Supplier<T> make, Function<T, Object> first, Function<T, Object> between, Function<T, Object> second) {
        this.make = make;
        this.first = first;
        this.between = between;
        this.second = second;
    }

    public void begin() {
        object = make.get();
    }

    public Object first() {
        return first.apply(object);
    }

    public void between() {
        between.apply(object);
    }

    public Object second() {
        return second.apply(object);
    }
}
