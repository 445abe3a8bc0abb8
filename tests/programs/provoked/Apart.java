package provoked;

/** Two critical sections of synchronized methods, by two threads: on one object, if there is an argument, and otherwise on two, where nobody can come between. */
public final class Apart {
    private int value;

    synchronized void one() {
        value++; // first hold provoked.Apart.one release
    }

    synchronized void two() {
        value++; // last other provoked.Apart.two acquire
    }

    // block provoked.Apart.both()
    void both() {
        one();
        Places.work();
        two();
    }

    public static void main(String[] args) throws InterruptedException {
        Apart apart = new Apart();
        Apart other = args.length == 0 ? new Apart() : apart;
        Places.together(apart::both, other::both);
    }
}
