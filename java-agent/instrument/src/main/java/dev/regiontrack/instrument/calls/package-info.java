/**
 * Hooks around calls: those that have an effect on threads, those that have a model, those that pass an array on. Uses {@code code}, {@code frames}, {@code
 * flow} and {@code accesses}.
 */
package dev.regiontrack.instrument.calls;
