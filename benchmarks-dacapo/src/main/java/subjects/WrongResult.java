package subjects;

/** The program computed a wrong result, so its measurements are meaningless. */
final class WrongResult extends Exception {
    private static final long serialVersionUID = 1L;

    WrongResult(String message) {
        super(message);
    }
}
