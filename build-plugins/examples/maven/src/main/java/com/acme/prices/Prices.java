package com.acme.prices;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Prices that were asked for before. Two threads that ask at the same time can get different ones. */
public final class Prices {
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    /** The price of an item, which is asked for if it is not known. */
    public int price(String item, Function<String, Integer> ask) {
        if (!known.containsKey(item)) {
            known.put(item, ask.apply(item));
        }
        return known.get(item);
    }
}
