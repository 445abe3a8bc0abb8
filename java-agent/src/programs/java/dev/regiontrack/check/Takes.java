package dev.regiontrack.check;

/** What a class of another loader does with an array. */
public interface Takes {
    /** Counts those that are not null. */
    int take(Object... all);
}
