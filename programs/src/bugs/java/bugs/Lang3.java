package bugs;

import org.apache.commons.lang3.Range;

/** LANG-481, fixed: the hash code is computed in a local variable. */
public final class Lang3 {
    private Lang3() {
    }

    public static void main(String[] args) throws Exception {
        Range<Integer> range = Range.between(1, 9);
        Luck.run(range::hashCode, range::hashCode);
    }
}
