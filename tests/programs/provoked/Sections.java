package provoked;

/** Two synchronized methods, called one after the other: between them the lock is free. The thread can be held only in the caller. */
public final class Sections {
    private int balance = 100;

    synchronized int balance() {
        return balance; // first provoked.Sections.balance read balance; hold provoked.Sections.balance release
    }

    synchronized void set(int to) {
        balance = to; // last other provoked.Sections.set write balance; enter provoked.Sections.set acquire
    }

    // block provoked.Sections.withdraw(int)
    void withdraw(int amount) {
        int now = balance();
        if (now >= amount) {
            Places.work();
            set(now - amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Sections account = new Sections();
        Places.together(() -> account.withdraw(70), () -> account.withdraw(70));
    }
}
