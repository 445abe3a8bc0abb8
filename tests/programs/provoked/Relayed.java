package provoked;

/** A synchronized method that another one of its name calls: the thread can be held in that, and in the bridge of a generic method. */
public final class Relayed {
    private int balance = 100;

    /** Implemented for one type, by a method to which the compiler adds one for all. */
    interface Check<T> {
        boolean allows(T amount);
    }

    final class Enough implements Check<Integer> {
        @Override
        public boolean allows(Integer amount) {
            return isEnough(amount);
        }
    }

    boolean isEnough(int amount) {
        return isEnough(amount, 0);
    }

    private synchronized boolean isEnough(int amount, int reserve) {
        return balance - amount >= reserve; // first provoked.Relayed.isEnough read balance; hold provoked.Relayed.isEnough release
    }

    synchronized void take(int amount) {
        balance -= amount; // last other provoked.Relayed.take write balance; enter provoked.Relayed.take acquire
    }

    // block provoked.Relayed.withdraw(provoked.Relayed$Check,int)
    void withdraw(Check<Integer> check, int amount) {
        if (check.allows(amount)) {
            Places.work();
            take(amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Relayed account = new Relayed();
        Check<Integer> check = account.new Enough();
        Places.together(() -> account.withdraw(check, 70), () -> account.withdraw(check, 70));
    }
}
