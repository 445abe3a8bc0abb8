/** What a run learns for its profile: which places' variables its threads share, and in which blocks they are reached. Uses the bridge alone. */
package dev.regiontrack.runtime.profile;
