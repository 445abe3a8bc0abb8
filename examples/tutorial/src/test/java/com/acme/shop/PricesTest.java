package com.acme.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a customer is told, also while a price changes. */
class PricesTest {
    @Test
    void aPriceIsThatOfTheSupplier() throws Exception {
        Prices prices = new Prices();
        prices.change("tea", 4);
        assertEquals(4, prices.price("tea"));
        prices.change("tea", 5);
        assertEquals(5, prices.price("tea"));
    }

    @Test
    void aCustomerAsksWhileThePriceChanges() throws Exception {
        Prices prices = new Prices();
        prices.change("tea", 4);
        ExecutorService customer = Executors.newSingleThreadExecutor();
        Future<Integer> asked = customer.submit(() -> prices.price("tea"));
        Thread.sleep(500);
        prices.change("tea", 5);
        int told = asked.get();
        customer.shutdown();
        assertTrue(told == 4 || told == 5);
    }
}
