package violating;

import schedule.Meanwhile;

/** Methods that look like those of {@code atomic.FilledFields}, but what they find is not what they would have computed, or there is more to it than the value. */
public class FilledFieldsThatDiffer {

    private int number;
    private int state;
    private boolean isStarted;
    private Object made;
    private String name;
    private int size;
    private int ready;
    private int table;
    private int filled;
    private int sometimes;
    private int cleared;
    private int twice;
    private int counted;
    private int count;
    private boolean isOff;

    private static int next() {
        Meanwhile.here();
        return (int) Thread.currentThread().getId();
    }

    /** Another value for each thread. */
    // finding: violating.FilledFieldsThatDiffer.numbered() lost update
    int numbered() {
        int n = number;
        if (n == 0) {
            n = next();
            number = n;
        }
        return n;
    }

    /** A constant: it says that something has been done, and now it is done twice. */
    // finding: violating.FilledFieldsThatDiffer.sets() lost update
    void sets() {
        if (state == 0) {
            Meanwhile.here();
            state = 1;
        }
    }

    /** The same with a flag. */
    // finding: violating.FilledFieldsThatDiffer.starts() lost update
    void starts() {
        if (!isStarted) {
            Meanwhile.here();
            isStarted = !isOff;
        }
    }

    /** Two objects that are equal, of which only one stays. */
    // finding: violating.FilledFieldsThatDiffer.makes() lost update
    Object makes() {
        if (made == null) {
            Object result = new int[1];
            Meanwhile.here();
            made = result;
        }
        return made;
    }

    private static String given(String other) {
        return other + "!";
    }

    private String named(String other) {
        if (name == null) {
            name = given(other);
        }
        return name;
    }

    /** What it finds comes from the other thread's argument. */
    // finding: violating.FilledFieldsThatDiffer.names(violating.FilledFieldsThatDiffer,violating.FilledFieldsThatDiffer,java.lang.String) interference
    static String names(FilledFieldsThatDiffer one, FilledFieldsThatDiffer other, String given) {
        String result = one.named(given);
        Meanwhile.here();
        return result + other.named(given);
    }

    private int sized() {
        if (size == 0) {
            size = state + 3;
            ready = size;
        }
        return size;
    }

    /** Something is written after the value, which who finds it may not find yet. */
    // finding: violating.FilledFieldsThatDiffer.sizes(violating.FilledFieldsThatDiffer,violating.FilledFieldsThatDiffer) interference
    static int sizes(FilledFieldsThatDiffer one, FilledFieldsThatDiffer other) {
        int result = one.sized();
        Meanwhile.here();
        return result + other.sized();
    }

    private int filledUnlessOff() {
        if (sometimes == 0 && !isOff) {
            sometimes = table + 4;
        }
        return sometimes;
    }

    /** There is a way on which it is not filled. */
    // finding: violating.FilledFieldsThatDiffer.fillsSometimes(violating.FilledFieldsThatDiffer,violating.FilledFieldsThatDiffer) interference
    static int fillsSometimes(FilledFieldsThatDiffer one, FilledFieldsThatDiffer other) {
        int result = one.filledUnlessOff();
        Meanwhile.here();
        return result + other.filledUnlessOff();
    }

    /** It is cleared between the write and the next read. */
    // finding: violating.FilledFieldsThatDiffer.readsWhatIsCleared() overwritten write
    int readsWhatIsCleared() {
        if (cleared == 0) {
            cleared = table + 5;
        }
        int first = cleared;
        Meanwhile.here();
        return first + cleared;
    }

    private static int computed() {
        Meanwhile.here();
        return 8;
    }

    /** It counts how often it has computed: twice, where one would have found what the other has filled in. */
    // finding: violating.FilledFieldsThatDiffer.counts() torn update
    int counts() {
        int n = counted;
        if (n == 0) {
            count++;
            n = computed();
            counted = n;
        }
        return n;
    }

    /** The other thread reads it elsewhere, and does not fill it. */
    // finding: violating.FilledFieldsThatDiffer.fillsWhatOthersRead(violating.FilledFieldsThatDiffer) interference
    int fillsWhatOthersRead(FilledFieldsThatDiffer other) {
        if (filled == 0) {
            filled = table + 6;
        }
        Meanwhile.here();
        return other.table;
    }

    /** It is read twice before, and what is returned is the first. */
    // finding: violating.FilledFieldsThatDiffer.returnsTheFirst() unrepeatable read
    int returnsTheFirst() {
        int result = twice;
        Meanwhile.here();
        if (twice == 0) {
            result = table + 7;
            twice = result;
        }
        return result;
    }

    public static void main(String[] args) throws InterruptedException {
        FilledFieldsThatDiffer f = new FilledFieldsThatDiffer();
        FilledFieldsThatDiffer g = new FilledFieldsThatDiffer();
        Meanwhile.during(f::numbered, f::numbered);
        Meanwhile.during(f::sets, f::sets);
        Meanwhile.during(f::starts, f::starts);
        Meanwhile.during(f::makes, f::makes);
        Meanwhile.during(() -> names(f, g, "one"), () -> names(f, g, "two"));
        Meanwhile.during(() -> sizes(f, g), () -> sizes(f, g));
        Meanwhile.during(() -> fillsSometimes(f, g), () -> fillsSometimes(f, g));
        Meanwhile.during(f::readsWhatIsCleared, () -> f.cleared = 0);
        Meanwhile.during(f::counts, f::counts);
        Meanwhile.during(() -> f.fillsWhatOthersRead(g), () -> g.table = f.filled);
        Meanwhile.during(f::returnsTheFirst, f::returnsTheFirst);
        System.out.println(f.ready + g.ready + f.count);
    }
}
