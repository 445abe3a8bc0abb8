/**
 * Classes and methods as a whole: which methods get which concerns, entry and exits, two bodies, and the transformer that the JVM calls. Uses all
 * rooms except {@code start}.
 */
package dev.regiontrack.instrument.classes;
