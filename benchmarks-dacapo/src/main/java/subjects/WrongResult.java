package subjects;

/** The program did not compute what it must: a subject that is broken measures nothing. */
final class WrongResult extends Exception {
    private static final long serialVersionUID = 1L;

    WrongResult(String message) {
        super(message);
    }
}
