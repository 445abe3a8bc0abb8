/**
 * Changes classes of the platform: hooks for threads, tasks and reflection, and the classes that the user names. Uses {@code selection} and
 * {@code calls}.
 */
package dev.regiontrack.instrument.platform;
