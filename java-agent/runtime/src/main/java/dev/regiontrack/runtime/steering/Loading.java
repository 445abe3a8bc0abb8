package dev.regiontrack.runtime.steering;

import dev.regiontrack.runtime.memory.Memory;

/** The classes of this room that are loaded before hooks run. */
public final class Loading {
    private Loading() {
    }

    /** Loads and initialises them. Without a plan no code calls them. */
    public static void load() {
        if (Plan.isOn() || Priorities.isOn()) {
            Memory.load(Steering.class, Watcher.class, Priorities.class, Lateness.class, Rank.class, Rest.class, Passage.class, Standstill.class, Chance.class, Behind.class, Hold.class, Pause.class, After.class, Step.class, Next.class, Passed.class, Before.class, Between.class, Way.class, Pace.class, Others.class, Ending.class, OnStack.class, Budget.class);
            Others.find();
            Pause.find();
            Ending.find();
        }
    }
}
