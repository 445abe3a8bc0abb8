/**
 * Learns for a profile: at which places the variables are shared between threads, and in which blocks these places are reached. Uses the bridge
 * alone.
 */
package dev.regiontrack.runtime.profile;
