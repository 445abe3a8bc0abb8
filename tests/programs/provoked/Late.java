package provoked;

/** The other thread comes late in each run, sees too little, and only looks. In time it would have written. */
public final class Late {
    private int balance = 100;

    private synchronized int balance() {
        return balance;
    }

    private synchronized void set(int to) {
        balance = to;
    }

    // block provoked.Late.withdraw(int)
    boolean withdraw(int amount) {
        int now = balance();
        if (now < amount) {
            return false;
        }
        Places.work();
        set(now - amount);
        return true;
    }

    public static void main(String[] args) throws InterruptedException {
        Late account = new Late();
        Thread other = new Thread(() -> {
            Places.work();
            for (int i = 0; i < 300; i++) {
                Places.work();
            }
            account.withdraw(70);
        });
        other.start();
        account.withdraw(70);
        other.join();
        System.out.println("done");
    }
}
