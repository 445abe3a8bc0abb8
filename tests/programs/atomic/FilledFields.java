package atomic;

import schedule.Meanwhile;

/**
 * Fields that are filled at their first use: two threads fill one with the same value, or one finds what another has computed. That is no interference. {@code
 * violating.FilledFieldsThatDiffer} has methods that look like these.
 */
public class FilledFields {
    private static final Object PARENT = new Object();
    private static final FilledFields ANY = new FilledFields(3);
    private static long sum;

    private final int seed;
    private int hash;
    private int again;
    private int looped;
    private volatile int volatileHash;
    private long wide;
    private Integer boxed;
    private String name;
    private Object parent;
    private int simple;
    private int found;
    private String returned;
    private long wideReturned;

    FilledFields(int seed) {
        this.seed = seed;
    }

    private int computed() {
        Meanwhile.here();
        return seed * 31 + 7;
    }

    private Object parentOf() {
        Meanwhile.here();
        return PARENT;
    }

    int throughLocal() {
        int h = hash;
        if (h == 0) {
            h = computed();
            hash = h;
        }
        return h;
    }

    int readAgain() {
        if (again == 0) {
            again = computed();
        }
        return again;
    }

    int ofVolatile() {
        int h = volatileHash;
        if (h != 0) {
            return h;
        }
        volatileHash = h = computed();
        return h;
    }

    long ofLong() {
        if (wide == 0) {
            wide = computed();
        }
        return wide;
    }

    static long ofStatic() {
        if (sum == 0) {
            sum = ANY.computed() + 1L;
        }
        return sum;
    }

    Integer ofBox() {
        Integer result = boxed;
        if (result == null) {
            result = Integer.valueOf(computed() + 1000);
            boxed = result;
        }
        return result;
    }

    String ofString() {
        String result;
        if ((result = name) == null) {
            name = result = "name " + computed();
        }
        return result;
    }

    /** What is written is returned at once. */
    String ofReturned() {
        if (returned != null) {
            return returned;
        }
        return returned = "name " + computed();
    }

    long ofWideReturned() {
        return wideReturned != 0 ? wideReturned : (wideReturned = computed());
    }

    /** Identical, though of a class of which two can be equal and different. */
    Object ofReference() {
        Object result = parent;
        if (result == null) {
            result = parentOf();
            parent = result;
        }
        return result;
    }

    /** In a loop, with more than one way to a value. */
    int inLoop() {
        if (looped == 0) {
            int h = 1;
            for (int i = 0; i < 3; i++) {
                h = seed > 100 ? h + computed() : 31 * h + computed();
            }
            looped = h;
        }
        return looped;
    }

    private int simple() {
        int s = simple;
        if (s == 0) {
            s = seed + 1;
            simple = s;
        }
        return s;
    }

    /** Each of the threads finds what the other one has computed. */
    static int twoHashes(FilledFields one, FilledFields other) {
        int result = one.simple();
        Meanwhile.here();
        return result + other.simple();
    }

    private int looked() {
        if (found != 0) {
            return found;
        }
        found = seed + 2;
        return found;
    }

    static int twoLooks(FilledFields one, FilledFields other) {
        int result = one.looked();
        Meanwhile.here();
        return result + other.looked();
    }

    private interface Filled {
        Object of(FilledFields f);
    }

    // waits inside: atomic.FilledFields.fill(atomic.FilledFields$Filled)
    private static void fill(Filled method) throws InterruptedException {
        FilledFields f = new FilledFields(5);
        Meanwhile.during(() -> method.of(f), () -> method.of(f));
    }

    public static void main(String[] args) throws InterruptedException {
        fill(FilledFields::throughLocal);
        fill(FilledFields::readAgain);
        fill(FilledFields::ofVolatile);
        fill(FilledFields::ofLong);
        fill(f -> ofStatic());
        fill(FilledFields::ofBox);
        fill(FilledFields::ofString);
        fill(FilledFields::ofReturned);
        fill(FilledFields::ofWideReturned);
        fill(FilledFields::ofReference);
        fill(FilledFields::inLoop);
        FilledFields one = new FilledFields(1);
        FilledFields other = new FilledFields(2);
        Meanwhile.during(() -> twoHashes(one, other), () -> twoHashes(one, other));
        Meanwhile.during(() -> twoLooks(one, other), () -> twoLooks(one, other));
        System.out.println(one.simple + other.simple + one.found + other.found);
    }
}
