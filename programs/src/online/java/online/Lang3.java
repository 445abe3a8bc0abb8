package online;

import org.apache.commons.lang3.Range;

/** LANG-481, fixed: the hash code is computed in a local variable. */
public final class Lang3 {
    private Lang3() {
    }

    public static void main(String[] args) throws Exception {
        int right = Range.between(new StoppingNumber(1), new StoppingNumber(9)).hashCode();
        Range<StoppingNumber> range = Range.between(new StoppingNumber(1), new StoppingNumber(9));
        Race.run(() -> range.hashCode() == right, () -> range.hashCode() == right);
    }
}
