package dev.regiontrack.runtime.steering;

/** A thread that is delayed, until none with a greater priority runs. */
final class Behind extends Hold {
    private final Rank rank;

    Behind(Rank rank) {
        this.rank = rank;
    }

    @Override
    public boolean isMet() {
        return !rank.isBehind();
    }
}
