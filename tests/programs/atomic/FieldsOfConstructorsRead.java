package atomic;

import schedule.Steps;

/** Private fields that constructors alone write are as good as final: two threads read them all the time, and there is nothing to record. */
public class FieldsOfConstructorsRead {
    private static final int ROUNDS = 600_000;

    static long all(Constants constants) {
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            sum += constants.sum(i) + constants.more();
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        Constants constants = new BelowConstants(3);
        Runnable all = () -> System.out.println("result " + all(constants));
        Steps.run(all, all);
    }
}

abstract class Constants {
    private int factor;
    private long offset;
    private String name = "constant";
    private Constants next;

    Constants(int factor) {
        this(factor, factor > 2 ? 7 : 8);
        this.factor += 1;
    }

    private Constants(int factor, long offset) {
        this.factor = factor;
        this.offset = offset;
        next = factor > 0 ? new BelowConstants(factor - 1) : null;
    }

    abstract int more();

    long sum(int value) {
        return factor * (long) value + offset + (name == null ? 1 : 2) + (next == null ? 0 : next.factor);
    }
}

final class BelowConstants extends Constants {
    private int more;

    BelowConstants(int more) {
        super(more);
        this.more = more;
    }

    @Override
    int more() {
        return more;
    }
}
