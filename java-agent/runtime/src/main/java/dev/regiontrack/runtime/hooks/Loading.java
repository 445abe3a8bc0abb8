package dev.regiontrack.runtime.hooks;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Asking.class, DoubleReads.class, FloatReads.class, Hooks.class, IntChecks.class, LongReads.class, ReferenceChecks.class, Rounds.class);
    }
}
