package attached;

import schedule.Steps;

/** Loaded when the agent is there. What it is part of was loaded before. */
class Late extends Account {
    private String owner = "nobody";

    void rename() {
        String seen = owner;
        Steps.done(30);
        Steps.await(31);
        owner = seen + '!';
    }

    static String run() throws InterruptedException {
        Late account = new Late();
        Steps.run(account::rename, () -> {
            Steps.await(30);
            account.owner = "somebody";
            Steps.done(31);
        });
        Steps.run(() -> account.twice(32, 33), () -> account.between(32, 33));
        return account.owner + ' ' + account.balance();
    }
}
