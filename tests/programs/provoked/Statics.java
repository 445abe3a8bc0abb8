package provoked;

/** A static field. */
public final class Statics {
    private static double sum = 1;

    private Statics() {
    }

    // block provoked.Statics.grow()
    static void grow() {
        double now = sum; // first provoked.Statics.grow read sum
        Places.work();
        sum = now * 2; // last other provoked.Statics.grow write sum
    }

    public static void main(String[] args) throws InterruptedException {
        Places.together(Statics::grow, Statics::grow);
    }
}
