package provoked;

/** The same under a lock. */
public final class FieldsLocked {
    private volatile int seats = 1;

    // block provoked.FieldsLocked.take()
    synchronized void take() {
        if (seats > 0) { // first provoked.FieldsLocked.take read seats
            Places.work();
            seats = seats - 1; // last other provoked.FieldsLocked.take write seats
        }
    }

    public static void main(String[] args) throws InterruptedException {
        FieldsLocked fields = new FieldsLocked();
        Places.together(fields::take, fields::take);
    }
}
