package provoked;

/** Two threads that take seats again and again: it goes wrong in one of many instances, which a schedule has to find again. */
public final class Loops {
    private static final int ROUNDS = 300;

    private int seats = 10 * ROUNDS;

    // block provoked.Loops.take()
    void take() {
        int left = seats;
        Places.work();
        seats = left - 1;
    }

    private void takeAll() {
        for (int i = 0; i < ROUNDS; i++) {
            take();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Loops loops = new Loops();
        Places.together(loops::takeAll, loops::takeAll);
    }
}
