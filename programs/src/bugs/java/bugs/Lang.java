package bugs;

import org.apache.commons.lang.math.IntRange;

/** LANG-481: the hash code is computed step by step in the field that caches it. */
public final class Lang {
    private Lang() {
    }

    public static void main(String[] args) throws Exception {
        IntRange range = new IntRange(1, 9);
        Luck.run(range::hashCode, range::hashCode);
    }
}
