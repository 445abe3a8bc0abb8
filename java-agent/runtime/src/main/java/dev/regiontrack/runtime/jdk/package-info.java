/**
 * Hooks inside the JDK's own classes: tasks, latches, semaphores, barriers, phasers, interruptions, and what reflection shows. Uses the core, not
 * {@code models}.
 */
package dev.regiontrack.runtime.jdk;
