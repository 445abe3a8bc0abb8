package bugs;

/** A buffer asks the one that is appended for its length and then for its characters, and locks it only for each of these. */
public final class Buffers {
    private Buffers() {
    }

    public static void main(String[] args) throws Exception {
        StringBuffer buffer = new StringBuffer("abc");
        StringBuffer appended = new StringBuffer("def");
        Luck.run(() -> buffer.append(appended), () -> appended.setLength(0));
    }
}
