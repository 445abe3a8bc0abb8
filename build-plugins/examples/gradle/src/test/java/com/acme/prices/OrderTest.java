package com.acme.prices;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Two threads ask one after the other: a second JVM, if each test class has its own. */
public class OrderTest {
    @Test
    public void what_is_known_is_not_asked_again() throws InterruptedException {
        Prices prices = new Prices();
        Thread first = new Thread(() -> prices.price("tea", item -> 1));
        first.start();
        first.join();
        assertEquals(1, prices.price("tea", item -> 2));
    }
}
