package provoked;

/** An element of an array, and another one, which is nobody's business. */
public final class Elements {
    private final Object[] slots = new Object[2];

    // block provoked.Elements.fill(int)
    void fill(int at) {
        if (slots[at] == null) { // first provoked.Elements.fill read []
            Places.work();
            slots[at] = "full"; // last other provoked.Elements.fill write []
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Elements elements = new Elements();
        Places.together(() -> elements.fill(1), () -> elements.fill(1));
    }
}
