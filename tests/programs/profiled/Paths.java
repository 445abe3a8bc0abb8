package profiled;

import schedule.Steps;

/**
 * The argument says which way is taken: a thread updates a cell that another one sets ({@code usual}, nothing is violated), does so in a
 * method that is not reached otherwise ({@code other}), or both use a field that is one thread's own otherwise ({@code own}).
 */
public class Paths {
    static class Cell {
        private int value;

        int get() {
            return value;
        }

        void set(int value) {
            this.value = value;
        }
    }

    private final Cell cell = new Cell();
    private int own;

    void usual() {
        cell.set(cell.get() + 1);
        own++;
    }

    // finding: profiled.Paths.other() lost update
    void other() {
        int old = cell.get();
        Steps.done(1);
        Steps.await(2);
        cell.set(old + 1);
    }

    // finding: profiled.Paths.own() lost update
    void own() {
        int old = own;
        Steps.done(1);
        Steps.await(2);
        own = old + 1;
    }

    void setOwn() {
        own = 5;
    }

    public static void main(String[] args) throws InterruptedException {
        Paths paths = new Paths();
        Steps.run(() -> {
            if (args[0].equals("other")) {
                paths.other();
            } else if (args[0].equals("own")) {
                paths.own();
            } else {
                paths.usual();
                Steps.done(1);
                Steps.await(2);
                paths.usual();
            }
        }, () -> {
            Steps.await(1);
            if (args[0].equals("own")) {
                paths.setOwn();
            } else {
                paths.cell.set(5);
            }
            Steps.done(2);
        });
        System.out.println(paths.cell.get() + " " + paths.own);
    }
}
