package life;

import schedule.Steps;

/** Runs under a security manager, with a policy that permits it to read one property. The agent's code that it calls may do more, but not for it. */
public class FewPermissions {
    private static int balance;

    // finding: life.FewPermissions.deposit() lost update
    private static void deposit() {
        int seen = balance;
        Steps.done(1);
        Steps.await(2);
        balance = seen + 10;
    }

    private static void attempt(String what, Runnable action) {
        try {
            action.run();
            System.out.println(what + ": permitted");
        } catch (SecurityException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        // If an access fails, it is this one, where no other thread waits for this one.
        balance = 1;
        attempt("the property of the policy", () -> System.getProperty("life.permitted"));
        attempt("another property", () -> System.getProperty("user.home"));
        attempt("fields", () -> String.class.getDeclaredFields());
        Steps.run(FewPermissions::deposit, () -> {
            Steps.await(1);
            balance = 100;
            Steps.done(2);
        });
        System.out.println("balance " + balance);
    }
}
