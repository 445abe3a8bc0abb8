/**
 * Analyses of a method's code, before any of it changes: its accesses, and the flow of the arrays and objects that it has allocated. Uses
 * {@code selection} and {@code frames}.
 */
package dev.regiontrack.instrument.flow;
