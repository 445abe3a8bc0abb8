package stress;

import dev.regiontrack.check.Takes;

/** Loaded by another loader than its interface. Looks at an array that it does not keep. */
public class Taking implements Takes {
    @Override
    public int take(Object... all) {
        int n = 0;
        for (Object one : all) {
            n += one == null ? 0 : 1;
        }
        return n;
    }
}
