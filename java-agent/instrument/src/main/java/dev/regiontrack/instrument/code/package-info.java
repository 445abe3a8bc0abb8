/**
 * The method that is being changed: its code, lines and sites, the locals of hooks, and how to call hooks. Uses {@code selection} and {@code flow}.
 */
package dev.regiontrack.instrument.code;
