/** What a program and its tests say to RegionTrack. None of these does anything without its agent. */
package dev.regiontrack.annotations;
