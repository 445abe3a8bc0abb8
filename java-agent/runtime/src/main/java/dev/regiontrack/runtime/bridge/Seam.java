package dev.regiontrack.runtime.bridge;

/** Lets tests replace parts by a class on the boot class path that a system property names. Without the property, no such class is loaded. */
public final class Seam {
    /** Names a {@link Bridge} that replaces the native one. */
    public static final String BRIDGE = "regiontrack.test.bridge";
    /** Names a {@link dev.regiontrack.runtime.protocol.Probe}. */
    public static final String PROBE = "regiontrack.test.probe";

    private Seam() {
    }

    /** Returns a new instance of the class that the property names; null if it names none. */
    public static <T> T open(String property, Class<T> type) {
        String name = System.getProperty(property);
        if (name == null) {
            return null;
        }
        try {
            return type.cast(Class.forName(name, true, null).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalStateException(property + '=' + name + ": no such " + type.getSimpleName() + " on the boot class path", e);
        }
    }
}
