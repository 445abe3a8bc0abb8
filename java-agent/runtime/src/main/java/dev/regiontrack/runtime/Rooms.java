package dev.regiontrack.runtime;

/** All rooms of the runtime. */
public final class Rooms {
    private Rooms() {
    }

    /** Loads the hooks' classes now: loading fails on a full stack, and a class whose initialiser has failed once stays unusable. */
    public static void load() {
        dev.regiontrack.runtime.memory.Loading.load();
        dev.regiontrack.runtime.bridge.Loading.load();
        dev.regiontrack.runtime.profile.Loading.load();
        dev.regiontrack.runtime.shadows.Loading.load();
        dev.regiontrack.runtime.sites.Loading.load();
        dev.regiontrack.runtime.protocol.Loading.load();
        dev.regiontrack.runtime.bodies.Loading.load();
        dev.regiontrack.runtime.threads.Loading.load();
        dev.regiontrack.runtime.steering.Loading.load();
        dev.regiontrack.runtime.replay.Loading.load();
        dev.regiontrack.runtime.hooks.Loading.load();
        dev.regiontrack.runtime.jdk.Loading.load();
        dev.regiontrack.runtime.models.Loading.load();
    }
}
