/** The method that is being changed: its code, lines and sites, the locals of hooks, and how a hook is called. Uses {@code selection} and {@code flow}. */
package dev.regiontrack.instrument.code;
