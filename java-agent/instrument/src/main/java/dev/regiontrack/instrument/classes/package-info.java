/**
 * A class and a method as a whole: which methods get which concerns, entry and exits, two bodies, and the transformer that the JVM calls. Uses all rooms but
 * {@code start}.
 */
package dev.regiontrack.instrument.classes;
