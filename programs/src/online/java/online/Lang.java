package online;

import org.apache.commons.lang.math.NumberRange;

/** LANG-481: the hash code is computed step by step in the field that caches it, and another thread computes it there too. */
public final class Lang {
    private Lang() {
    }

    public static void main(String[] args) throws Exception {
        int right = new NumberRange(new StoppingNumber(1), new StoppingNumber(9)).hashCode();
        NumberRange range = new NumberRange(new StoppingNumber(1), new StoppingNumber(9));
        Race.run(() -> range.hashCode() == right, () -> range.hashCode() == right);
    }
}
