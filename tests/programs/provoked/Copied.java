package provoked;

/** A buffer that a constructor reads, and that is emptied then. Another one is copied at the same place, and never in danger. */
public final class Copied {
    private final StringBuffer lines = new StringBuffer("a");
    private final StringBuffer others = new StringBuffer("b");

    // block provoked.Copied.drain(java.lang.StringBuffer)
    String drain(StringBuffer from) {
        String all = new String(from); // first provoked.Copied.drain read new()
        Places.work();
        from.setLength(0); // last provoked.Copied.drain write setLength()
        return all;
    }

    void add(StringBuffer to) {
        to.append('c'); // other provoked.Copied.add write append()
    }

    public static void main(String[] args) throws InterruptedException {
        Copied copied = new Copied();
        Places.together(() -> copied.drain(copied.lines), () -> {
            copied.add(copied.others);
            copied.add(copied.lines);
        });
    }
}
