package dev.regiontrack.instrument.selection;

/** Where a class comes from, which decides how its methods get their hooks. */
public enum Origin {
    /** The program: it is instrumented as it is loaded. */
    PROGRAM,
    /** The platform, and the user has named the class: its members stay as they are, and the agent's own calls of its methods are not watched. */
    PLATFORM,
    /** The same, but only for objects of some subclasses. */
    SUPERCLASS
}
