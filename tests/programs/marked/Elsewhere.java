package marked;

import violating.ArrayForReceiver;

/** Its method does not keep the array, and overrides nothing: the one above it with the same name is not public. */
public class Elsewhere extends ArrayForReceiver.InPackage {
    public int take(Object... array) {
        return array[0] == null ? 0 : 1;
    }
}
