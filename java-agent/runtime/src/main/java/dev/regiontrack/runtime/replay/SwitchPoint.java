package dev.regiontrack.runtime.replay;

/** Where a debugger can stop a run that is replayed: its methods do nothing, and are called at each switch point by the thread that is there. */
public final class SwitchPoint {
    private SwitchPoint() {
    }

    /**
     * The running thread has passed the switch point with this number, from 1. {@code thread} is how it was started, {@code place} as the schedule writes it.
     */
    public static void reached(int number, String thread, String place) {
        // For breakpoints.
    }

    /** The running thread is before the switch point with this number, or behind it if {@code isBehind}, and waits for another one. */
    public static void waits(int number, boolean isBehind, String thread, String place) {
        // For breakpoints.
    }
}
