package provoked;

/** As {@link Apart}, with static methods, whose lock is that of the class. */
public final class ApartClasses {
    private static int value;

    private ApartClasses() {
    }

    static synchronized void one() {
        value++; // first hold provoked.ApartClasses.one release
    }

    static synchronized void two() {
        value++; // last other provoked.ApartClasses.two acquire
    }

    // block provoked.ApartClasses.both()
    static void both() {
        one();
        Places.work();
        two();
    }

    public static void main(String[] args) throws InterruptedException {
        Places.together(ApartClasses::both, ApartClasses::both);
    }
}
