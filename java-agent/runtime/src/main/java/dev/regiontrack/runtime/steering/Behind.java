package dev.regiontrack.runtime.steering;

/** A thread that is delayed, until none with a greater priority runs. */
final class Behind extends Hold {
    private final Rank rank;
    /** As its own thread has seen it last: if others looked for themselves, each look would lead to those at all threads that are held, and so on. */
    private volatile boolean isBehind = true;

    Behind(Rank rank) {
        this.rank = rank;
    }

    @Override
    public boolean isMet() {
        if (thread == Thread.currentThread()) {
            isBehind = rank.isBehind();
        }
        return !isBehind;
    }
}
