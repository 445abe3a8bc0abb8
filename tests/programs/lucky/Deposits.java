package lucky;

import schedule.Steps;

/**
 * Two threads pay in, one after the other: nothing goes wrong, but nothing but luck keeps them apart. With the argument
 * {@code locked} a lock does.
 */
public class Deposits {
    private final Object lock = new Object();
    private int balance;

    void deposit(int amount) {
        int before = balance;
        balance = before + amount;
    }

    void depositLocked(int amount) {
        synchronized (lock) {
            deposit(amount);
        }
    }

    void pay(int amount, boolean isLocked) {
        if (isLocked) {
            depositLocked(amount);
        } else {
            deposit(amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Deposits account = new Deposits();
        boolean isLocked = args[0].equals("locked");
        Steps.run(() -> {
            account.pay(1, isLocked);
            Steps.done(1);
        }, () -> {
            Steps.await(1);
            account.pay(2, isLocked);
        });
        System.out.println("balance " + account.balance);
    }
}
