package dev.regiontrack.instrument;

/** Which array elements are variables: the option {@code arrays}. */
enum ArrayMode {
    REFS, ALL, NONE;

    static ArrayMode of(String value) {
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
