package subjects;

/** The program computed a wrong result, so its measurements are meaningless. */
final class WrongResult extends Exception {
    private static final long serialVersionUID = 1L;

    WrongResult(String message) {
        super(message);
    }

    /** Throws it unless the two are the same. */
    static void unless(long expected, long found, String what) throws WrongResult {
        if (expected != found) {
            throw new WrongResult(what + ": " + found + ", not " + expected);
        }
    }
}
