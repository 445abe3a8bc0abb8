package dev.regiontrack.runtime.memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Memory.class, Refs.class, WeakTable.class, WeakTable.Entry.class);
    }
}
