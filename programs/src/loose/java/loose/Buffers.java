package loose;

/** One thread appends a buffer to others, while the other thread empties and fills it. */
public final class Buffers {
    private Buffers() {
    }

    public static void main(String[] args) throws Exception {
        StringBuffer appended = new StringBuffer("def");
        Both.run(1000, round -> new StringBuffer("abc").append(appended), round -> {
            appended.setLength(0);
            appended.append("def");
        });
    }
}
