package com.acme.shop;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/** What things cost, by a supplier who takes a while to answer. */
public class Prices {
    private final ConcurrentMap<String, Integer> supplier = new ConcurrentHashMap<>();
    private final Cache<String, Integer> known = CacheBuilder.newBuilder().maximumSize(1000).build();

    /** The price of an item, from the cache if it has it. */
    public int price(String item) throws ExecutionException {
        return known.get(item, () -> ask(item));
    }

    /** The supplier has another price from now on. */
    public void change(String item, int price) {
        supplier.put(item, price);
        known.invalidate(item);
    }

    private int ask(String item) throws InterruptedException {
        int price = supplier.getOrDefault(item, 0);
        Thread.sleep(1000);
        return price;
    }
}
