package provoked;

/** Two threads with an object of their own each, which have a counter in common: the block is violated by that, while nobody comes to its object. */
public final class Besides {
    private static volatile int uses;
    private int value;

    // block provoked.Besides.use()
    void use() {
        int used = uses;
        int now = value; // first provoked.Besides.use read value
        Places.work();
        value = now + 1; // last other provoked.Besides.use write value
        uses = used + 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Besides one = new Besides();
        Besides two = new Besides();
        Places.together(one::use, two::use);
    }
}
