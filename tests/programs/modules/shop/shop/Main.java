package shop;

import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import stock.Stock;

/** Two customers, of whom the second takes while the first has only looked. */
public final class Main {
    private Main() {
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The program. */
    public static void main(String[] args) throws InterruptedException {
        Stock stock = ServiceLoader.load(Stock.class).findFirst().orElseThrow();
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        Thread first = new Thread(() -> stock.take(() -> {
            looked.countDown();
            await(taken);
        }), "first");
        Thread second = new Thread(() -> {
            await(looked);
            stock.take(() -> { });
            taken.countDown();
        }, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(stock.size() + " of " + stock.getClass().getName() + " in " + stock.getClass().getModule());
    }
}
