package violating;

import java.util.HashMap;
import java.util.Map;
import schedule.Steps;

/**
 * A method that reads in one critical section, and writes in another what it has computed from that: a field, and a key of a map. And one that
 * has no lock where the other thread has one.
 */
public class DataOfLocks {
    private final Object lock = new Object();
    private final Map<String, Integer> stock = new HashMap<>();
    private int balance;
    private int total;

    private synchronized int balance() {
        return balance;
    }

    private synchronized void set(int to) {
        balance = to;
    }

    private int stock() {
        synchronized (lock) {
            return stock.get("nuts");
        }
    }

    private void stock(int to) {
        synchronized (lock) {
            stock.put("nuts", to);
        }
    }

    // finding: violating.DataOfLocks.add(int) stale check-then-act across critical sections
    void add(int n) {
        int seen = balance();
        Steps.done(1);
        Steps.await(2);
        set(seen + n);
    }

    // finding: violating.DataOfLocks.take(int) stale check-then-act across critical sections
    void take(int n) {
        int seen = stock();
        Steps.done(3);
        Steps.await(4);
        stock(seen - n);
    }

    // finding: violating.DataOfLocks.count() lost update
    void count() {
        int seen = total;
        Steps.done(5);
        Steps.await(6);
        total = seen + 1;
    }

    private synchronized void start() {
        total = 7;
    }

    public static void main(String[] args) throws InterruptedException {
        DataOfLocks shop = new DataOfLocks();
        shop.stock(20);
        Steps.run(() -> {
            shop.add(1);
            shop.take(2);
            shop.count();
        }, () -> {
            Steps.await(1);
            shop.set(5);
            Steps.done(2);
            Steps.await(3);
            shop.stock(10);
            Steps.done(4);
            Steps.await(5);
            shop.start();
            Steps.done(6);
        });
        System.out.println(shop.balance() + " " + shop.stock() + " " + shop.total);
    }
}
