package provoked;

/** A check and an act on a field that both threads see, without a lock. */
public final class Fields {
    private volatile int seats = 1;

    // block provoked.Fields.take()
    void take() {
        if (seats > 0) { // first provoked.Fields.take read seats
            Places.work();
            seats = seats - 1; // last other provoked.Fields.take write seats
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Fields fields = new Fields();
        Places.together(fields::take, fields::take);
    }
}
