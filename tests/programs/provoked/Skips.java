package provoked;

/** A name that is looked at twice, unless there is none at the first look: so it is when the first thread looks for the first time. */
public final class Skips {
    private static final int ROUNDS = 300;

    private volatile String name;
    private volatile boolean isOver;

    // block provoked.Skips.length()
    int length() {
        if (name == null) { // first provoked.Skips.length read name
            return 0;
        }
        Places.work();
        String now = name; // last provoked.Skips.length read name
        return now == null ? -1 : now.length();
    }

    void rename(int round) {
        String next = round % 3 == 2 ? null : "name " + round;
        name = next; // other provoked.Skips.rename write name
    }

    public static void main(String[] args) throws InterruptedException {
        Skips skips = new Skips();
        Places.together(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                skips.length();
            }
            skips.isOver = true;
        }, () -> {
            for (int round = 0; !skips.isOver; round++) {
                skips.rename(round);
            }
        });
    }
}
