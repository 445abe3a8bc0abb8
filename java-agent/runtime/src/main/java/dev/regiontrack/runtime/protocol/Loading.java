package dev.regiontrack.runtime.protocol;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Dependencies.class, HeldLock.class, Monitor.class, Probe.class, Protocol.class, Readers.class, Reading.class, Replaced.class, SharedReads.class, Spinning.class, Stamp.class,
            Variables.class, Wait.class);
    }
}
