package com.acme.prices;

import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.Test;

/** Two threads ask at the same time: always in the same order, without luck. */
public class PricesTest {
    @Test
    public void two_ask_at_the_same_time() throws InterruptedException {
        Prices prices = new Prices();
        CountDownLatch isAsked = new CountDownLatch(1);
        Thread second = new Thread(() -> {
            try {
                isAsked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            prices.price("tea", item -> 2);
        });
        second.start();
        int told = prices.price("tea", item -> {
            isAsked.countDown();
            letRun(second);
            return 1;
        });
        second.join();
        assertTrue(told > 0);
    }

    /** Waits until the other thread has its price, or waits for this one. */
    private static void letRun(Thread other) {
        while (other.isAlive() && !waitsForThis(other)) {
            Thread.onSpinWait();
        }
    }

    /** Whether the other thread waits in the map for the value of a key, and not for a moment elsewhere, such as for class loading. */
    private static boolean waitsForThis(Thread other) {
        return other.getState() == Thread.State.BLOCKED
            && Arrays.stream(other.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("computeIfAbsent"));
    }
}
