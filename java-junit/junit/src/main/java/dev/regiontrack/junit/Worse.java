package dev.regiontrack.junit;

import java.util.Set;

/** What a test ends with that has thrown something, if a violation happened in it, too. */
public final class Worse {
    /** What a failed assumption throws, which skips a test. Either framework may be missing. */
    private static final Set<String> ABORTS = Set.of("org.opentest4j.TestAbortedException", "org.junit.internal.AssumptionViolatedException");

    private Worse() {
    }

    /**
     * The violation, if the test was only aborted, because nobody reads why a test was skipped; otherwise what it has thrown. The other one is added as
     * a suppressed exception.
     */
    public static Throwable of(Throwable thrown, Throwable violation) {
        Throwable worse = isAbort(thrown) ? violation : thrown;
        worse.addSuppressed(worse == thrown ? violation : thrown);
        return worse;
    }

    private static boolean isAbort(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (ABORTS.contains(type.getName())) {
                return true;
            }
        }
        return false;
    }
}
