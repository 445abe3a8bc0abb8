package dev.regiontrack.runtime.replay;

/** Lets a debugger stop a replayed run: the methods do nothing, and the thread at a switch point calls them. */
public final class SwitchPoint {
    private SwitchPoint() {
    }

    /**
     * The running thread has passed the switch point with this number, from 1. {@code thread} is how it was started, {@code place} is as the schedule
     * writes it.
     */
    public static void reached(int number, String thread, String place) {
        // For breakpoints.
    }

    /** The running thread waits for another one before the switch point with this number, or behind it if {@code isBehind}. */
    public static void waits(int number, boolean isBehind, String thread, String place) {
        // For breakpoints.
    }
}
