package dev.regiontrack.runtime.sites;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Blocks.class, Callees.class, ClassInfo.class, FieldResolution.class, Site.class);
    }
}
