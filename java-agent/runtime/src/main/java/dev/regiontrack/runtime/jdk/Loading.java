package dev.regiontrack.runtime.jdk;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Completers.class, Handovers.class, Handovers.Gift.class, Handovers.Place.class, Interrupts.class, Latches.class, Permits.class,
            Phasers.class, Phasers.Phases.class, Tasks.class);
    }
}
