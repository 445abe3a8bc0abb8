package shared;

/** An account from which two threads take at once, with a bug and without: the window is a few instructions wide, so no thread comes by chance. */
public final class Account {
    private int balance = 100;

    public synchronized int balance() {
        return balance;
    }

    private synchronized void take(int n) {
        balance -= n;
    }

    /** The bug: the balance may have changed since it was read. */
    public boolean withdraw(int n) {
        if (balance() < n) {
            return false;
        }
        take(n);
        return true;
    }

    /** Without the bug. */
    public synchronized boolean withdrawAtOnce(int n) {
        if (balance < n) {
            return false;
        }
        balance -= n;
        return true;
    }

    /** Two threads run the task, the second one as soon as it can. */
    public static void twice(Runnable task) {
        Thread[] threads = {new Thread(task, "first"), new Thread(task, "second")};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
