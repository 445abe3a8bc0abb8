package dev.regiontrack.runtime.bridge;

/**
 * Kinds of events that are not seen, but counted: the rows of the list in {@code docs/models.md} that have words in their right column. A test
 * compares the two.
 */
public enum Unseen {
    OVERLAPPED("operations of the library that overlapped, so that their order is not known"),
    SERIALIZED("references to methods that have a model, which got no hooks because they can be serialized"),
    NO_ROOM("calls of the library that got no hooks, because with them the JIT compilers would leave the method out"),
    SHARED_ITERATORS("steps of iterators over concurrent maps that threads share"),
    OTHER_COLLECTIONS("calls of concurrent maps and sets with other collections, whose elements are not known to the agent"),
    DROPPED_KEYS("variables of keys, dropped because one map had more than 65536"),
    LOOKED_FOR("iterations over concurrent maps that left out keys which nobody had written, because more than 256 had been looked for"),
    PARTS("spliterators over concurrent maps and queues that were split, and streams over them that need not come to the end"),
    STOPPED("calls that looked at a concurrent map or queue until they found something, so that the keys are not known"),
    ENTRIES("calls that look for, add or remove entries of a concurrent map, whose keys are not known"),
    CHANGES("calls that changed some keys of a concurrent map or set, nobody knows which, so that they count as reads"),
    ADDERS("threads that first changed a sum, a number of keys or a queue after others had looked at it"),
    LATCHES("latches with a count above 1024"),
    GIVERS("queues that got one object from several threads, or very often, so that nobody knows whose was taken");

    /** The name in reports. */
    public final String words;

    Unseen(String words) {
        this.words = words;
    }
}
