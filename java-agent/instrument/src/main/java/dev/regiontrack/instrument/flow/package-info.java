/**
 * What a method's code does, found before any of it changes: its accesses, and where arrays and objects flow that it has allocated. Uses {@code
 * selection} and {@code frames}.
 */
package dev.regiontrack.instrument.flow;
