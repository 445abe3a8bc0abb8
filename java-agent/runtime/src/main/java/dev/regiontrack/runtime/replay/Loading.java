package dev.regiontrack.runtime.replay;

import dev.regiontrack.runtime.memory.Memory;
import dev.regiontrack.runtime.steering.Plan;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. Without a schedule no code calls them. */
    public static void load() {
        if (!Plan.points().isEmpty()) {
            Memory.load(Replay.class, Point.class, Order.class, Turn.class, Remainder.class, SwitchPoint.class);
        }
    }
}
