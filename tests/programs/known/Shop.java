package known;

import java.util.concurrent.atomic.AtomicInteger;
import schedule.Steps;

/**
 * A shop that loses an update of each of its counts, of the third one with an argument only.
 */
public class Shop {
    private int total;
    private int visits;
    private final AtomicInteger orders = new AtomicInteger();

    void sell(int price) {
        int before = total;
        Steps.done(1);
        Steps.await(2);
        total = before + price;
    }

    void visit() {
        int before = visits;
        Steps.done(3);
        Steps.await(4);
        visits = before + 1;
    }

    void order() {
        int before = orders.get();
        Steps.done(5);
        Steps.await(6);
        orders.set(before + 1);
    }

    void refund() {
        total = 0;
    }

    void close() {
        visits = 0;
    }

    void cancel() {
        orders.set(0);
    }

    public static void main(String[] args) throws InterruptedException {
        Shop shop = new Shop();
        boolean orders = args.length > 0;
        Steps.run(() -> {
            shop.sell(7);
            shop.visit();
            if (orders) {
                shop.order();
            }
        }, () -> {
            Steps.await(1);
            shop.refund();
            Steps.done(2);
            Steps.await(3);
            shop.close();
            Steps.done(4);
            if (orders) {
                Steps.await(5);
                shop.cancel();
                Steps.done(6);
            }
        });
        System.out.println("total " + shop.total);
    }
}
