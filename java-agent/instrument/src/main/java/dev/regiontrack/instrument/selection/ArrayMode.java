package dev.regiontrack.instrument.selection;

import dev.regiontrack.instrument.start.Start;

/** Which array elements are variables: the option {@code arrays}. */
public enum ArrayMode {
    REFS, ALL, NONE;

    public static ArrayMode of(String value) {
        switch (value) {
            case "refs": return REFS;
            case "all": return ALL;
            case "none": return NONE;
            default:
                Start.stop("arrays=" + value + ": one of refs, all, none");
                return NONE;
        }
    }
}
