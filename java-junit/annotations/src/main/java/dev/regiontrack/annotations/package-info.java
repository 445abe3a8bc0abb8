/** Annotations with which programs and tests instruct RegionTrack. None of them has any effect without its agent. */
package dev.regiontrack.annotations;
