/**
 * What is changed in classes of the platform: hooks for threads, tasks and reflection, and the classes that the user names. Uses {@code selection}, {@code
 * calls} and {@code code}.
 */
package dev.regiontrack.instrument.platform;
