package dev.regiontrack.runtime.steering;

/** The delay of a thread until none with a greater priority runs. */
final class Behind extends Hold {
    private final Rank rank;
    /** The last result of the thread's own look. If others looked for themselves, each look would lead to looks at all held threads, and so on. */
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
