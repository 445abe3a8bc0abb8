/** The goals of RegionTrack's Maven plugin. */
package dev.regiontrack.maven;
