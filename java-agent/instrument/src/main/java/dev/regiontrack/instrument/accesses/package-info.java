/** Hooks around accesses and monitors, one {@link dev.regiontrack.instrument.code.Concern} each. Uses {@code code}, {@code frames} and {@code flow}. */
package dev.regiontrack.instrument.accesses;
