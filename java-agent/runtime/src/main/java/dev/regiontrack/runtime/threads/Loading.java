package dev.regiontrack.runtime.threads;

import dev.regiontrack.runtime.bridge.Session;
import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. */
    public static void load() {
        Memory.load(Ids.class, Initializers.class, Origin.class, RingWriter.class, StackSize.class, ThreadRecord.class, Threads.class, ThreadState.class);
        Origin.load();
        // Only the one that is used is loaded, so compiled hooks need no test for it.
        Memory.load(Session.takesDependencies() ? Epochs.class : Recording.class);
    }
}
