package provoked;

/**
 * A method that writes one variable and reads another one, while a second thread carries values from the first to a third variable, and a third thread from there to
 * the second. No other thread accesses both, so what goes wrong takes several steps of others.
 */
public final class Through {
    private static final int ROUNDS = 2000;

    private final Cell in = new Cell();
    private final Cell between = new Cell();
    private final Cell out = new Cell();
    private volatile boolean isOver;

    int ask(int question) {
        in.value = question;
        Places.work();
        return out.value;
    }

    private Thread asker() {
        return new Thread(() -> {
            for (int round = 1; round <= ROUNDS; round++) {
                ask(round);
            }
            isOver = true;
        });
    }

    private Thread carrier(Cell from, Cell to) {
        return new Thread(() -> {
            while (!isOver) {
                to.value = from.value;
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Through through = new Through();
        Thread[] threads = {through.asker(), through.carrier(through.in, through.between), through.carrier(through.between, through.out)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }

    /** A variable of its own. */
    private static final class Cell {
        private volatile int value;
    }
}
