package provoked;

/** The same, with the lock around both. */
public final class SectionsLocked {
    private int balance = 100;

    synchronized int balance() {
        return balance; // first provoked.SectionsLocked.balance read balance; hold provoked.SectionsLocked.balance release
    }

    synchronized void set(int to) {
        balance = to; // last other provoked.SectionsLocked.set write balance; enter provoked.SectionsLocked.set acquire
    }

    // block provoked.SectionsLocked.withdraw(int)
    synchronized void withdraw(int amount) {
        int now = balance();
        if (now >= amount) {
            Places.work();
            set(now - amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        SectionsLocked account = new SectionsLocked();
        Places.together(() -> account.withdraw(70), () -> account.withdraw(70));
    }
}
