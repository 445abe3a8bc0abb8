package loose;

import org.apache.commons.lang.math.IntRange;

/** LANG-481: both threads ask ranges of ints for their hash codes. */
public final class Ints {
    private Ints() {
    }

    public static void main(String[] args) throws Exception {
        Object[] ranges = Both.objects(1000, round -> new IntRange(round, round + 9));
        Both.run(1000, round -> ranges[round].hashCode(), round -> ranges[round].hashCode());
    }
}
