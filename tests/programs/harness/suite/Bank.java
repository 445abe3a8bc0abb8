package suite;

import schedule.Steps;

/** A benchmark, loaded again for each iteration: the other thread pays in between the two halves of an update. */
public final class Bank {
    private int balance;

    private Bank() {
    }

    synchronized int balance() {
        return balance;
    }

    synchronized void set(int balance) {
        this.balance = balance;
    }

    // finding: suite.Bank.payIn() stale check-then-act across critical sections
    void payIn() {
        int seen = balance();
        Steps.done(1);
        Steps.await(2);
        set(seen + 10);
    }

    // waits inside: suite.Bank.iterate(java.lang.String)
    // waits inside: Harness.iterate(java.lang.ClassLoader,java.lang.String,java.lang.String)
    public static boolean iterate(String size) throws InterruptedException {
        Bank bank = new Bank();
        Steps.run(bank::payIn, () -> {
            Steps.await(1);
            bank.set(100);
            Steps.done(2);
        });
        boolean isRight = true;
        for (int i = size.equals("small") ? 1 : 10_000; i > 0; i--) {
            isRight &= bank.balance() == 10;
        }
        System.out.println("balance " + bank.balance());
        return isRight;
    }
}
