package loose;

/** Issue 1829: both threads write objects whose classes refer to each other. */
public final class Gson {
    private Gson() {
    }

    public static void main(String[] args) throws Exception {
        Object[] all = Both.objects(200, round -> new com.google.gson.Gson());
        Both.run(200, round -> ((com.google.gson.Gson) all[round]).toJson(new Outer()), round -> ((com.google.gson.Gson) all[round]).toJson(new Inner(new Outer())));
    }

    /** Refers to {@code Inner}. */
    static final class Outer {
        Inner inner;
        int[] numbers;
    }

    /** Refers back to {@code Outer}. */
    static final class Inner {
        final Outer outer;

        Inner(Outer outer) {
            this.outer = outer;
        }
    }
}
