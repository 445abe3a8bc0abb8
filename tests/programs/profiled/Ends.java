package profiled;

import schedule.Steps;

/** Loses an update, and ends in the way that its argument names. */
public class Ends {
    private int count;

    void increment() {
        int seen = count;
        Steps.done(1);
        Steps.await(2);
        count = seen + 1;
    }

    void reset() {
        count = 0;
    }

    public static void main(String[] args) throws InterruptedException {
        Ends ends = new Ends();
        Steps.run(ends::increment, () -> {
            Steps.await(1);
            ends.reset();
            Steps.done(2);
        });
        System.out.println("running");
        switch (args[0]) {
            case "exit":
                System.exit(5);
                break;
            case "halt":
                Runtime.getRuntime().halt(6);
                break;
            case "throw":
                throw new IllegalStateException("as asked");
            case "wait":
                Thread.sleep(600_000);
                break;
            default:
        }
    }
}
