package online;

/** A buffer asks the one that is appended for its length and then for its characters, and locks it only for each of these. */
public final class Buffers {
    private Buffers() {
    }

    public static void main(String[] args) throws Exception {
        StringBuffer buffer = new StringBuffer("abc");
        StringBuffer appended = new StringBuffer("def");
        Race.run(() -> buffer.append(appended).toString().replace('\0', '0'), Race.done(() -> appended.setLength(0)));
    }
}
