package loose;

import org.apache.commons.lang.math.NumberRange;

/** LANG-481: both threads ask ranges of numbers for their hash codes. */
public final class Lang {
    private Lang() {
    }

    public static void main(String[] args) throws Exception {
        Object[] ranges = Both.objects(1000, round -> new NumberRange(round, round + 9));
        Both.run(1000, round -> ranges[round].hashCode(), round -> ranges[round].hashCode());
    }
}
