package attached;

import schedule.Steps;

/** Every access is synchronized, but an update is a get and a set. Loaded before the agent is attached. */
class Account {
    private int balance;

    synchronized int balance() {
        return balance;
    }

    synchronized void set(int balance) {
        this.balance = balance;
    }

    synchronized int deposit(int amount) {
        balance += amount;
        return balance;
    }

    /** Another thread's {@link #between} comes in between. */
    void twice(int first, int second) {
        int seen = balance();
        Steps.done(first);
        Steps.await(second);
        set(2 * seen);
    }

    void between(int first, int second) {
        Steps.await(first);
        set(100);
        Steps.done(second);
    }
}
