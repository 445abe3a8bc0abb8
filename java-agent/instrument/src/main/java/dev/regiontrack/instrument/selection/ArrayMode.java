package dev.regiontrack.instrument.selection;

/** Which array elements are variables: the option {@code arrays}. */
public enum ArrayMode {
    REFS, ALL, NONE;

    /** Parses the option's value; another value is reported in the line to print. */
    public static ArrayMode of(String value) {
        switch (value) {
            case "refs": return REFS;
            case "all": return ALL;
            case "none": return NONE;
            default:
                throw new IllegalArgumentException("arrays=" + value + ": one of refs, all, none");
        }
    }
}
